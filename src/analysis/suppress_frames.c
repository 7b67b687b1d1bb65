/* Chooses the frame in a stack that best identifies a leak or an error. */
#include "suppress_private.h"

/* Returns whether the name is an address such as "0x1f", which reports show for an unnamed
 * frame. */
static bool
is_address(struct text name)
{
	if (name.size < 3 || !text_begins(name, "0x"))
		return false;
	for (size_t i = 2; i < name.size; i++)
		if (char_hex_value(name.data[i]) < 0)
			return false;
	return true;
}

bool
frame_has_function(const struct suppress_routine *r)
{
	struct text name = r->symbol.size ? r->symbol : r->name;

	return name.size && name.data[0] != '?' && !is_address(name);
}

static bool
is_listed(struct text name, const char *const *globs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_glob(name, globs[i]))
			return true;
	return false;
}

#define IS_LISTED(name, globs) is_listed(name, globs, sizeof(globs) / sizeof((globs)[0]))

static bool
take_prefix(struct text *t, const char *prefix)
{
	size_t n = strlen(prefix);

	if (t->size <= n || memcmp(t->data, prefix, n) != 0)
		return false;
	*t = (struct text){ t->data + n, t->size - n };
	return true;
}

/* Returns the "malloc" in "__libc_malloc" and "je_malloc@plt". */
static struct text
bare_allocator(struct text name)
{
	static const char *const prefixes[] = { "asan_", "wrap_", "GI_", "libc_", "je_", "mi_",
		"tc_", "rtl_", "g_", "safe", "x" };
	size_t n = 0;

	while (take_prefix(&name, "_"))
		;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (take_prefix(&name, prefixes[i]))
			while (take_prefix(&name, "_"))
				;
	while (n < name.size && !strchr(" (@.[", name.data[n]))
		n++;
	name.size = n;
	return name;
}

/* Returns whether the function allocates memory or opens descriptors. Such a function does not
 * identify a leak. */
static bool
is_allocator(struct text name)
{
	static const char *const bare[] = { "malloc", "malloc0", "malloc_n", "malloc0_n", "zalloc",
		"calloc", "realloc", "reallocarray", "realloc_n", "memalign", "aligned_alloc",
		"posix_memalign", "valloc", "pvalloc", "free", "cfree", "strdup", "strndup",
		"wcsdup", "asprintf", "vasprintf", "mmap", "mmap64", "mremap", "brk", "sbrk",
		"HeapAlloc", "HeapReAlloc", "RtlAllocateHeap" };
	static const char *const whole[] = { "operator new*", "operator delete*", "_Znw*", "_Zna*",
		"_Zdl*", "_Zda*", "tc_new*", "Perl_safesys*", "*interceptor_*", "pthread_*",
		"__gnu_cxx::new_allocator<*", "std::__new_allocator<*", "std::allocator<*",
		"std::allocator_traits<*", "open", "open64", "openat", "socket", "accept",
		"accept4", "dup", "dup2", "pipe", "pipe2", "fopen", "fopen64", "fdopen" };

	return IS_LISTED(name, whole) || IS_LISTED(bare_allocator(name), bare);
}

/* Returns whether the function belongs to a C library and calls main. */
static bool
calls_main(struct text name)
{
	static const char *const globs[] = { "__libc_start_main*", "__libc_start_call_main*",
		"(below main)", "generic_start_main*", "libc_start_main_stage2", "invoke_main",
		"__scrt_common_main*", "__tmainCRTStartup" };

	return IS_LISTED(name, globs);
}

/* Returns whether the function starts a program or a thread. Such functions are the outermost
 * frames of most stacks. */
static bool
is_start(struct text name)
{
	static const char *const globs[] = { "main", "wmain", "WinMain", "wWinMain", "_start",
		"start_thread", "clone", "clone3", "__clone", "__clone3", "thread_start",
		"mythread_wrapper", "vgDrd_thread_wrapper", "*thread_start_func*",
		"*ThreadStartFunc*", "*asan_thread_start*", "*AsanThread::ThreadStart*",
		"execute_native_thread_routine*", "g_thread_proxy", "QThreadPrivate::start*",
		"*std::thread::_*", "*std::__invoke*", "BaseThreadInitThunk", "RtlUserThreadStart",
		"*CRTStartup", "runtime.main", "runtime.goexit*" };

	return calls_main(name) || IS_LISTED(name, globs);
}

/* Returns whether the function belongs to a language runtime that allocates memory in every
 * program. */
static bool
is_runtime(struct text name)
{
	static const char *const globs[] = { "std::*", "void std::*", "bool std::*", "__gnu_cxx::*",
		"core::*", "alloc::*", "<std::*", "<core::*", "<alloc::*" };

	return IS_LISTED(name, globs);
}

static bool
is_listed_frame(const struct suppress_routine *r, bool (*in)(struct text name))
{
	return (r->name.size && in(r->name)) || (r->symbol.size && in(r->symbol));
}

bool
frame_is_intercepted(const struct suppress_routine *r)
{
	static const char *const files[] = { "*sanitizer_common_interceptors*",
		"*asan_interceptors*", "*vg_replace_str*" };
	static const char *const modules[] = { "*libasan.*", "*libclang_rt.asan*" };

	return interceptor_target(r->name).size || text_glob(r->name, "__asan_mem*") ||
	       (r->file.size && IS_LISTED(r->file, files)) ||
	       (r->module.size && IS_LISTED(r->module, modules));
}

/* The module that contains main, even if main's frame has no name; NULL if unknown. */
static struct text
program_module(const struct suppress_routine *frames, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(frames[i].name, TEXT_LITERAL("main")) ||
			text_equal(frames[i].name, TEXT_LITERAL("_start")) ||
			(i + 1 < count && calls_main(frames[i + 1].name)))
			return frames[i].module;
	return TEXT_NULL;
}

/* A frame with a higher rank identifies the finding better. An entry whose frame has the rank
 * RANK_WIDE or a lower rank would also hide other findings. */
enum rank {
	RANK_NOTHING,
	RANK_ALLOCATOR,
	RANK_WIDE, /* main, or an unnamed frame in main's module */
	RANK_MODULE,
	RANK_RUNTIME,
	RANK_OWN
};

static enum rank
rank_of(const struct suppress_routine *r, bool innermost, struct text program)
{
	if (!frame_has_function(r)) {
		if (!r->module.size)
			return RANK_NOTHING;
		return program.size && text_equal(r->module, program) ? RANK_WIDE : RANK_MODULE;
	}
	if (is_listed_frame(r, is_allocator) || (innermost && frame_is_intercepted(r)))
		return RANK_ALLOCATOR;
	if (is_listed_frame(r, is_start))
		return RANK_WIDE;
	return is_listed_frame(r, is_runtime) ? RANK_RUNTIME : RANK_OWN;
}

const struct suppress_routine *
frame_best(const struct suppress_routine *frames, size_t count, bool top_only, bool *too_much)
{
	const struct suppress_routine *best = NULL;
	enum rank best_rank = RANK_NOTHING;
	struct text program = program_module(frames, count);

	for (size_t i = 0; i < (top_only && count ? 1 : count); i++) {
		enum rank rank = rank_of(&frames[i], i == 0, program);

		if (rank > best_rank) {
			best = &frames[i];
			best_rank = rank;
		}
	}
	*too_much = best && !top_only && best_rank <= RANK_WIDE;
	return best;
}
