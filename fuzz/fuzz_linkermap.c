/*
 * Fuzzes linker maps. The look-up of any address must give texts that the depot can store. The look-up of
 * the corresponding byte offset in the module must give the same place.
 */
#define _GNU_SOURCE /* memfd_create */
#include "format/linker_map.h"
#include "must.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	FIRST = 0x400000,
	LAST = 0x480000,
	STEP = 0x3f1,
};

static void
check_text(struct text t)
{
	MUST(text_utf8_prefix(t.data, t.size) == t.size);
	MUST(!t.size || !memchr(t.data, 0, t.size));
}

static void
look_up(const struct linker_maps *m, struct text module)
{
	for (uint64_t at = FIRST; at < LAST; at += STEP) {
		struct linker_place place, exact;

		if (!linker_maps_find(m, module, at + 1, false, &place))
			continue;
		MUST(linker_maps_find(m, module, at, true, &exact));
		MUST(exact.line == place.line && text_equal(exact.name, place.name));
		MUST(place.name.size && place.line >= 0);
		check_text(place.name);
		check_text(place.unit);
		check_text(place.file);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct linker_maps *m = linker_maps_new();
	struct error err = ERROR_INIT;
	char path[64];
	int fd = memfd_create("map", MFD_CLOEXEC);

	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (linker_maps_read(m, path, &err)) {
		look_up(m, TEXT_NULL);
		look_up(m, text_from(path));
	} else {
		MUST(err.message[0]);
	}
	linker_maps_free(m);
	close(fd);
	return 0;
}
