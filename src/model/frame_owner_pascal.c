/* The fixed list of the units of Delphi and Free Pascal. schema/560_frames.sql has the same rule. */
#include "base/char.h"
#include "frame_owner_private.h"

/* Namespaces of Delphi XE2 and later. */
static const char *const namespaces[] = { "system", "vcl", "winapi", "fmx", "posix", "macapi",
	"androidapi", "iosapi", NULL };

/* Units without a namespace: those of the runtimes, of memory managers and of exception tracers. */
static const char *const runtime_units[] = { "system", "sysinit", "sysutils", "classes", "variants",
	"varutils", "typinfo", "rtti", "contnrs", "syncobjs", "dateutils", "strutils", "rtlconsts",
	"sysconst", "inifiles", "comobj", "comserv", "activex", "windows", "messages", "registry",
	"ansistrings", "widestrutils", "generics.collections", "generics.defaults", "objpas",
	"baseunix", "cthreads", "fgl", "heaptrc", "jcldebug", "jclhookexcept", "madexcept",
	"exceptionlog", "exceptionlog7", NULL };

/* Units of the VCL without a namespace. A program's own unit can have the same name, so the frame
 * must also have a class with a name such as TForm. */
static const char *const vcl_units[] = { "actnlist", "actnman", "buttons", "checklst", "clipbrd",
	"comctrls", "controls", "dbctrls", "dbgrids", "dialogs", "extctrls", "extdlgs", "forms",
	"graphics", "grids", "imglist", "jpeg", "mask", "menus", "printers", "stdactns", "stdctrls",
	"themes", "toolwin", "valedit", NULL };

static bool
starts_with_namespace(struct text unit)
{
	for (const char *const *n = namespaces; *n; n++) {
		size_t size = strlen(*n);

		if (unit.size > size && unit.data[size] == '.' &&
			text_equal_nocase(text_up_to(unit, size), text_from(*n)))
			return true;
	}
	return false;
}

static bool
is_pascal_class(struct text t)
{
	return t.size > 1 && t.data[0] == 'T' && t.data[1] >= 'A' && t.data[1] <= 'Z';
}

static bool
begins_nocase(struct text t, const char *word)
{
	size_t n = strlen(word);

	return t.size >= n && text_equal_nocase(text_up_to(t, n), text_from(word));
}

static bool
is_system_unit(struct text unit, struct text class_name)
{
	return starts_with_namespace(unit) || text_among_nocase(unit, runtime_units) ||
	       begins_nocase(unit, "fastmm") ||
	       (is_pascal_class(class_name) && text_among_nocase(unit, vcl_units));
}

/* Recognises three kinds of names: those that begin like "@LStrAsg", "FastMM_WalkBlocks" or "System.Move",
 * the exports of FastMM's library, and intrinsics that other compilers lack. */
static bool
is_runtime_routine(struct text t)
{
	static const char *const names[] = { "GetFrameBasedStackTrace", "GetRawStackTrace",
		"LogStackTrace", "AtomicCmpExchange", "AtomicDecrement", "AtomicExchange",
		"AtomicIncrement", NULL };
	static const char *const beginnings[] = { "System.", "Vcl.", "Winapi.", "FMX.", "FastMM_" };

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (text_begins(t, beginnings[i]))
			return true;
	for (const char *const *name = names; *name; name++)
		if (text_equal(t, text_from(*name)))
			return true;
	for (size_t i = 1; i < t.size; i++)
		if (!char_is_word(t.data[i]))
			return false;
	return t.size > 1 && t.data[0] == '@';
}

bool
frame_is_pascal_system(struct text class_name, struct text routine, struct text unit)
{
	return is_system_unit(unit, class_name) || is_runtime_routine(routine);
}

/* --- packages ---------------------------------------------------------------------------------- */

bool
frame_is_pascal_package(struct text name)
{
	static const char *const stems[] = { "rtl", "dbrtl", "vcl", "fmx" };
	struct text stem = name;

	if (!text_ends_nocase(name, ".bpl"))
		return false;
	stem.size -= 4;
	while (stem.size && char_is_digit(stem.data[stem.size - 1]))
		stem.size--;
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++) {
		size_t n = strlen(stems[i]);

		if (!begins_nocase(stem, stems[i]))
			continue;
		while (n < stem.size && char_is_letter(stem.data[n]) && i >= 2)
			n++;
		if (n == stem.size)
			return true;
	}
	return false;
}
