/*
 * Linker maps of Delphi programs: the routines, units and lines at the addresses of a module. With them,
 * frames that have only an address get names.
 *
 * Format: sections with headings. "Start Length Name Class" has "0001:00401000 0010F1C8H .text CODE" per segment;
 * old linkers write the offset 0 instead of the address. "Detailed map of segments" has
 * "0001:00000000 0000D1A4 C=CODE ... M=UNIT" per unit. "Publics by Name" and "Publics by Value" have
 * "0001:00012345 UNIT.TCLASS.ROUTINE". "Line numbers for UNIT(FILE) segment .text" has pairs "LINE 0001:OFFSET".
 * Source: maps that FastMM's FullDebugMode library reads.
 */
#ifndef PROFDEPOT_FORMAT_LINKER_MAP_H
#define PROFDEPOT_FORMAT_LINKER_MAP_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* The maps of the modules of a program. After reading, threads and processes can share them. */
struct linker_maps;

/* What a map knows about an address. The texts belong to the maps. */
struct linker_place {
	struct text unit; /* empty if the map does not list the units */
	struct text name; /* "TClass.Routine", possibly with the unit before it */
	struct text file; /* empty if unknown */
	int64_t line;     /* 0 if unknown */
};

struct linker_maps *linker_maps_new(void);
void linker_maps_free(struct linker_maps *m); /* NULL does nothing */

/* Adds a map. Its module is the file's name without the extension. Fails with ERROR_FILE if the file
 * cannot be read, with ERROR_INPUT if it is not such a map, and with ERROR_LIMIT if it has more than 16 million
 * routines or lines. */
bool linker_maps_read(struct linker_maps *m, const char *path, struct error *err);

/* Finds the routine at an address. The comparison of module names ignores folder, extension and case. If `module` is
 * empty, exactly one of the maps must have code at the address. The address must come from a module that was loaded at
 * its preferred address. If `module` is not empty, the address can also be an offset from the beginning of the
 * module. If `exact` is false, the address is a return address, which is the first byte after a call. In this case,
 * looks up the byte before the address, because that byte belongs to the call. */
bool linker_maps_find(const struct linker_maps *m, struct text module, uint64_t address, bool exact,
	struct linker_place *out);

#endif
