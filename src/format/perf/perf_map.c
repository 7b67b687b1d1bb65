/*
 * Remembers where the processes have mapped files. For a frame without a symbol, the address of the
 * mapping is needed to find the address in the file.
 *
 * Format: PERF_RECORD_MMAP2 PID/TID: [0xSTART(0xSIZE) @ 0xOFFSET DEVICE INODE GENERATION]: PERMS FILE;
 * PERF_RECORD_MMAP has nothing after the offset.
 */
#include "perf_map.h"

#include "base/array.h"
#include "base/hash.h"
#include "format/common/text_scan.h"

#include <stdlib.h>

enum {
	/* Further mappings are ignored, so frames in their files have no address. */
	MAPPINGS_MAX = 1024 * 1024
};

bool
perf_parse_mapping(struct text line, struct perf_mapping *out)
{
	struct text t = text_from_at(line, text_find(line, "PERF_RECORD_MMAP"));
	uint64_t start, size, offset;
	int64_t tid;
	size_t end;

	scan_token(&t);
	scan_blanks(&t);
	if (!scan_int64(&t, &out->pid) || !scan_char(&t, '/') || !scan_int64(&t, &tid) ||
		!scan_word(&t, ": [") || !scan_hex(&t, &start) || !scan_char(&t, '(') ||
		!scan_hex(&t, &size) || !scan_word(&t, ") @ ") || !scan_hex(&t, &offset))
		return false;
	end = text_find(t, "]: ");
	if (end == TEXT_NOT_FOUND)
		return false;
	t = text_from_at(t, end + strlen("]: "));
	scan_token(&t);
	out->dso = text_trim(t);
	out->base = start - offset;
	return out->dso.size > 0;
}

static struct hash128
key_of(int64_t pid, struct text dso)
{
	return hash128_seeded(dso.data, dso.size, (uint64_t)pid);
}

void
perf_map_add(struct perf_map *p, const struct perf_mapping *m)
{
	struct hash128 key = key_of(m->pid, m->dso);
	size_t count = p->by_dso.count;
	uint32_t index;

	/* Ignore memory without a file, such as [heap] or //anon: its address differs in each
	 * run. */
	if (*m->dso.data == '[' || text_begins(m->dso, "//") || count >= MAPPINGS_MAX)
		return;
	index = pair_map_add(
		&p->by_dso, (int64_t)key.low, (int64_t)key.high, (uint32_t)count, &(bool){ false });
	ARRAY_RESERVE(p->bases, p->room, (size_t)index + 1);
	p->bases[index] = m->base;
}

bool
perf_map_base(const struct perf_map *p, int64_t pid, struct text dso, uint64_t *base)
{
	struct hash128 key = key_of(pid, dso);
	uint32_t index = pair_map_get(&p->by_dso, (int64_t)key.low, (int64_t)key.high);

	if (index == PAIR_MAP_NONE)
		return false;
	*base = p->bases[index];
	return true;
}

void
perf_map_release(struct perf_map *p)
{
	pair_map_release(&p->by_dso);
	free(p->bases);
}
