/*
 * Splits the names of Delphi and C++Builder routines that debuggers and leak detectors print.
 *
 * Format: "@Unit@TClass@Routine$qqrARGUMENTS" with the linker's decoration, the same without "@Unit@"
 * and with dots ("TClass.Routine$qqrARGUMENTS"), the 64-bit compilers' Itanium names
 * ("_ZN4Unit6TClass7RoutineE..."), or a plain "Unit.TClass.Routine". Source: output of FastMM's
 * FullDebugMode library and of JclDebug; the operators are those of C++Builder's tdump.
 */
#ifndef PROFDEPOT_FORMAT_COMMON_BORLAND_H
#define PROFDEPOT_FORMAT_COMMON_BORLAND_H

#include "format/common/frame_dictionary.h"

/* The parts of a name; empty if unknown. They point into the caller's texts or into `buffer`. */
struct borland_name {
	struct text unit;       /* such as "System.SysUtils" */
	struct text class_name; /* such as "TStringList" */
	struct text routine;    /* constructors become "Create", destructors "Destroy" */
	bool decorated;         /* the name had a decoration, which was removed */
};

/* Splits a name. `unit` is the unit that the report states separately, or empty. The parts between
 * the unit and the routine are the class. If the unit is unknown, the class is the first part that
 * begins with T, E or I and an upper-case letter; without such a part, the class is unknown. A name
 * that is not well formed becomes the routine, unchanged. Takes linear time. `buffer` must be
 * initialised. */
void borland_split(
	struct text name, struct text unit, struct strbuf *buffer, struct borland_name *out);

/* Sets the frame's function, class, unit and symbol to the parts of the name. */
void borland_name_frame(struct frame *f, struct text name, struct text unit, struct strbuf *buffer);
/* If the frame has neither a unit nor a class, takes the unit from the front of the function's name. Use this only
 * for names that are known to begin with their unit. */
void borland_find_unit(struct frame *f);

#endif
