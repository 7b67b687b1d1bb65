/* The fixed list of allocators, runtimes and system libraries. schema/560_frames.sql has the same rule. */
#include "frame_owner_private.h"

#include "base/char.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct text
skip(struct text t, size_t n)
{
	return (struct text){ t.data + n, t.size - n };
}

static bool
starts(struct text t, const char *prefix)
{
	size_t n = strlen(prefix);

	return t.size >= n && memcmp(t.data, prefix, n) == 0;
}

static bool
ends(struct text t, const char *suffix)
{
	size_t n = strlen(suffix);

	return t.size >= n && memcmp(t.data + t.size - n, suffix, n) == 0;
}

static bool
is_any(struct text t, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i]) == t.size && memcmp(t.data, words[i], t.size) == 0)
			return true;
	return false;
}

/* The number of leading bytes of t that are in the set. */
static size_t
span(struct text t, const char *set)
{
	size_t n = 0;

	while (n < t.size && t.data[n] && strchr(set, t.data[n]))
		n++;
	return n;
}

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* --- allocators ------------------------------------------------------------------------------ */

/* Skips underscores and "interceptor_"; returns false if t does not begin with them. */
static bool
skip_interceptor(struct text *t)
{
	size_t n = span(*t, "_");

	if (!n || !starts(skip(*t, n), "interceptor_"))
		return false;
	*t = skip(*t, n + strlen("interceptor_"));
	return true;
}

static bool
is_allocator_word(struct text t)
{
	static const char *const words[] = { "malloc", "calloc", "realloc", "reallocarray",
		"memalign", "posix_memalign", "aligned_alloc", "valloc", "pvalloc", "free", "cfree",
		"strdup", "strndup", "wcsdup", "asprintf", "vasprintf", "mmap", "mmap64", "mremap",
		"munmap", "brk", "sbrk", "malloc0", "malloc_n", "malloc0_n", "zalloc", "HeapAlloc",
		"HeapReAlloc", "RtlAllocateHeap", "GetMem", "FreeMem", "ReallocMem", "AllocMem",
		"GETMEM", "FREEMEM", "REALLOCMEM", "ALLOCMEM" };
	struct text word = skip(t, span(t, "_"));
	size_t n = 0;

	while (n < word.size && !strchr(" (@.[", word.data[n]))
		n++;
	word.size = n;
	return is_any(word, words, COUNT(words));
}

static bool
is_prefixed_allocator(struct text t)
{
	static const char *const prefixes[] = { "", "__wrap_", "__GI___libc_", "__libc_", "__GI_",
		"rtl_", "x", "g_", "safe", "@", "Sys", "SYS", "Debug", "Fast", "FastMM_",
		"FastMM_Debug" };
	struct text rest = t;

	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (starts(t, prefixes[i]) && is_allocator_word(skip(t, strlen(prefixes[i]))))
			return true;
	if (t.size >= 3 && strchr("jtm", t.data[0]) && strchr("eci", t.data[1]) &&
		t.data[2] == '_' && is_allocator_word(skip(t, 3)))
		return true;
	if (skip_interceptor(&rest))
		return is_allocator_word(rest) ||
		       (starts(rest, "trampoline_") &&
			       is_allocator_word(skip(rest, strlen("trampoline_"))));
	rest = skip(t, span(t, "_"));
	return rest.size < t.size && starts(rest, "asan_") && is_allocator_word(skip(rest, 5));
}

static bool
is_allocator(struct text t)
{
	struct text rest = t;

	if (is_prefixed_allocator(t))
		return true;
	skip_interceptor(&rest);
	if (starts(rest, "operator new") || starts(rest, "operator delete") ||
		starts(t, "tc_new") || starts(t, "tc_delete"))
		return true;
	if (starts(t, "_Zna") || starts(t, "_Znw") || starts(t, "_Zda") || starts(t, "_Zdl"))
		return span(skip(t, 4), LOWER UPPER DIGITS "_") == t.size - 4;
	return starts(t, "Perl_safesys") && t.size > 12 && span(skip(t, 12), LOWER) == t.size - 12;
}

/* --- routines -------------------------------------------------------------------------------- */

static bool
is_start_up(struct text t)
{
	static const char *const words[] = { "_start", "_init", "start_thread", "thread_start",
		"clone", "clone3", "__clone", "__clone3", "BaseThreadInitThunk",
		"RtlUserThreadStart", "asan_thread_start", "invoke_main" };
	static const char *const crt[] = { "mainCRTStartup", "wmainCRTStartup", "WinMainCRTStartup",
		"wWinMainCRTStartup", "tmainCRTStartup", "scrt_common_main",
		"scrt_common_main_seh" };

	return is_any(t, words, COUNT(words)) || is_any(skip(t, span(t, "_")), crt, COUNT(crt));
}

/* Whether t consists of the prefix, followed by characters of the set. If `some` is true, at least one
 * character must follow. */
static bool
is_family(struct text t, const char *prefix, const char *set, bool some)
{
	size_t n = strlen(prefix);

	return starts(t, prefix) && t.size >= n + some && span(skip(t, n), set) == t.size - n;
}

static bool
is_runtime_name(struct text t)
{
	static const char *const sanitizers[] = { "__asan_", "__lsan_", "__tsan_", "__msan_",
		"__ubsan_", "__sanitizer_" };
	struct text rest = t;

	for (size_t i = 0; i < COUNT(sanitizers); i++)
		if (is_family(t, sanitizers[i], LOWER UPPER DIGITS "_", false))
			return true;
	if (is_family(t, "_dl_", LOWER "_", true) ||
		is_family(t, "__libc_start_", LOWER "_", true) ||
		is_family(t, "_Unwind_", LOWER UPPER "_", true) ||
		is_family(t, "__cxa_", LOWER "_", true))
		return true;
	return skip_interceptor(&rest) && rest.size && span(rest, LOWER DIGITS "_") == rest.size;
}

static bool
in_runtime_namespace(struct text t)
{
	static const char *const spaces[] = { "std::", "core::", "alloc::", "__gnu_cxx::",
		"__cxxabiv1::", "__sanitizer::", "__asan::", "__lsan::", "__tsan::" };

	if (starts(t, "<"))
		t = skip(t, 1);
	for (size_t i = 0; i < COUNT(spaces); i++)
		if (starts(t, spaces[i]))
			return true;
	return false;
}

static bool
is_system_routine(struct text t)
{
	size_t word = span(t, LOWER "_");
	size_t gap = span(skip(t, word), " *&");

	if (is_start_up(t) || is_runtime_name(t) || starts(t, "runtime.") ||
		in_runtime_namespace(t))
		return true;
	/* The name of a template function begins with its return type. */
	return word && gap && in_runtime_namespace(skip(t, word + gap));
}

static bool
is_unnamed(struct text t)
{
	if (!t.size || (t.size == 2 && memcmp(t.data, "??", 2) == 0))
		return true;
	return is_family(t, "0x", DIGITS "abcdefABCDEF", true);
}

static bool
is_system_class(struct text t)
{
	static const char *const names[] = { "std", "__gnu_cxx", "core", "alloc" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (starts(t, names[i]) &&
			(t.size == strlen(names[i]) || starts(skip(t, strlen(names[i])), "::")))
			return true;
	return false;
}

/* --- modules --------------------------------------------------------------------------------- */

static struct text
last_part(struct text path, bool backslash)
{
	size_t at = path.size;

	while (at && path.data[at - 1] != '/' && !(backslash && path.data[at - 1] == '\\'))
		at--;
	return skip(path, at);
}

static bool
is_system_folder(struct text path)
{
	static const char *const folders[] = { "/lib/", "/lib32/", "/lib64/", "/libx32/",
		"/libexec/" };

	if (starts(path, "/System/"))
		return true;
	if (starts(path, "/usr/"))
		path = skip(path, 4);
	for (size_t i = 0; i < COUNT(folders); i++)
		if (starts(path, folders[i]))
			return true;
	return false;
}

static bool
is_system_library(struct text name)
{
	static const char *const families[] = { "ld-linux", "ld-musl", "libclang_rt.", "vgpreload_",
		"libheaptrack", "libtcmalloc" };
	static const char *const names[] = { "libc", "libm", "libdl", "librt", "libpthread",
		"libstdc++", "libc++", "libc++abi", "libgcc_s", "libasan", "liblsan", "libtsan",
		"libmsan", "libubsan", "libjemalloc", "libmimalloc", "linux-vdso", "linux-gate" };

	for (size_t i = 0; i < COUNT(families); i++)
		if (starts(name, families[i]))
			return true;
	for (size_t i = 0; i < COUNT(names); i++) {
		size_t n = strlen(names[i]);

		if (starts(name, names[i]) &&
			(name.size == n || name.data[n] == '-' || name.data[n] == '.'))
			return true;
	}
	return false;
}

/* Compares without regard to ASCII case; the word is in lower case. */
static bool
starts_folded(struct text t, const char *word)
{
	size_t n = strlen(word);

	if (t.size < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (char_lower(t.data[i]) != word[i])
			return false;
	return true;
}

static bool
is_windows_library(struct text name)
{
	static const char *const names[] = { "ntdll", "kernel32", "kernelbase", "user32", "gdi32",
		"gdiplus", "ole32", "oleaut32", "comctl32", "comdlg32", "advapi32", "shell32",
		"shlwapi", "rpcrt4", "combase", "win32u", "ws2_32", "winspool", "msvcrt",
		"ucrtbase", "fastmm_fulldebugmode", "fastmm_fulldebugmode64", "borlndmm" };
	struct text stem = name;

	if (name.size < 4 || (!starts_folded(skip(name, name.size - 4), ".dll") &&
				     !starts_folded(skip(name, name.size - 4), ".drv")))
		return false;
	stem.size -= 4;
	for (size_t i = 0; i < COUNT(names); i++)
		if (stem.size == strlen(names[i]) && starts_folded(stem, names[i]))
			return true;
	if (starts_folded(stem, "msvcp"))
		return span(skip(stem, 5), DIGITS) == stem.size - 5;
	if (!starts_folded(stem, "vcruntime"))
		return false;
	stem = skip(stem, 9);
	stem = skip(stem, span(stem, DIGITS));
	return !stem.size || (stem.size == 2 && stem.data[0] == '_' && char_is_digit(stem.data[1]));
}

/* Whether a folder windows/system32 or windows/syswow64 is in the path. */
static bool
in_windows_folder(struct text path)
{
	for (size_t i = 0; i + 8 < path.size; i++) {
		struct text rest = skip(path, i);

		if (i && !strchr("\\/", path.data[i - 1]))
			continue;
		if (!starts_folded(rest, "windows") || !strchr("\\/", rest.data[7]))
			continue;
		rest = skip(rest, 8);
		if ((starts_folded(rest, "system32") || starts_folded(rest, "syswow64")) &&
			rest.size > 8 && strchr("\\/", rest.data[8]))
			return true;
	}
	return false;
}

static bool
is_system_module(struct text path)
{
	return is_system_folder(path) || is_system_library(last_part(path, false)) ||
	       is_windows_library(last_part(path, true)) ||
	       frame_is_pascal_package(last_part(path, true)) || in_windows_folder(path);
}

/* --- files ----------------------------------------------------------------------------------- */

static bool
in_library_folder(struct text path)
{
	static const char *const folders[] = { "libsanitizer/", "compiler-rt/", "sanitizer_common/",
		"mingw-w64-crt/" };

	for (size_t at = 0; at < path.size; at++) {
		if (at && path.data[at - 1] != '/')
			continue;
		for (size_t i = 0; i < COUNT(folders); i++)
			if (starts(skip(path, at), folders[i]))
				return true;
	}
	return false;
}

/* Returns whether this is the path of a source file of glibc, such as ../sysdeps/x86/start.S. */
static bool
is_libc_source(struct text path)
{
	static const char *const folders[] = { "sysdeps/", "csu/", "nptl/", "malloc/", "elf/",
		"stdlib/", "string/", "io/", "iconv/", "libio/", "posix/", "misc/" };
	size_t at = 0;

	for (;;) {
		if (starts(skip(path, at), "../"))
			at += 3;
		else if (starts(skip(path, at), "./"))
			at += 2;
		else
			break;
	}
	for (size_t i = 0; at && i < COUNT(folders); i++)
		if (starts(skip(path, at), folders[i]))
			return true;
	return false;
}

static bool
is_system_file(struct text path)
{
	struct text name = last_part(path, false);

	if (starts(path, "/usr/include/") || starts(path, "/usr/lib/") || starts(path, "/rustc/") ||
		is_libc_source(path) || in_library_folder(path))
		return true;
	return starts(name, "vg_replace_") && ends(name, ".c") && name.size > 13 &&
	       span(skip(name, 11), LOWER) == name.size - 13;
}

static struct text
known(struct text t)
{
	return t.data ? t : TEXT_LITERAL("");
}

enum frame_owner_kind
frame_owner_of(struct text module, struct text class_name, struct text routine, struct text file,
	struct text unit)
{
	module = known(module);
	class_name = known(class_name);
	routine = known(routine);
	file = known(file);
	unit = known(unit);
	if (is_allocator(routine))
		return FRAME_ALLOCATOR;
	if (is_system_routine(routine) || is_system_class(class_name) || is_system_module(module) ||
		is_system_file(file) || frame_is_pascal_system(class_name, routine, unit) ||
		(is_unnamed(routine) && !file.size && !module.size))
		return FRAME_SYSTEM;
	return FRAME_OWN;
}
