/* Remembers where the processes have mapped files. For a frame without a symbol, the address of the
 * mapping is needed to find the address in the file. */
#ifndef PROFDEPOT_FORMAT_PERF_PERF_MAP_H
#define PROFDEPOT_FORMAT_PERF_PERF_MAP_H

#include "base/pair_map.h"
#include "base/text.h"

/* A mapped file. base is the address of the mapping minus the mapping's offset in the file. */
struct perf_mapping {
	int64_t pid;
	struct text dso;
	uint64_t base;
};

/* The latest base of each file in each process. A zeroed struct is empty. */
struct perf_map {
	struct pair_map by_dso; /* maps (pid, DSO) to an index in `bases` */
	uint64_t *bases;
	size_t room;
};

/* Parses a mapping, as printed with --show-mmap-events. */
bool perf_parse_mapping(struct text line, struct perf_mapping *out);

void perf_map_add(struct perf_map *p, const struct perf_mapping *m);
void perf_map_release(struct perf_map *p);
/* Finds the base of the process's latest mapping of the file. */
bool perf_map_base(const struct perf_map *p, int64_t pid, struct text dso, uint64_t *base);

#endif
