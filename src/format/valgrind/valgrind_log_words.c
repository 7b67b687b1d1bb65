/* The phrases in valgrind's text; see valgrind_log.h. */
#include "format/common/text_scan.h"
#include "valgrind_log.h"

/* Skips the "00:00:00:01.194 " of --time-stamp=yes. */
static void
scan_time(struct text *t)
{
	struct text rest = *t;
	size_t n = 0;

	while (n < rest.size &&
		(char_is_digit(rest.data[n]) || rest.data[n] == ':' || rest.data[n] == '.'))
		n++;
	if (n > 8 && n < rest.size && rest.data[n] == ' ')
		*t = text_from_at(rest, n + 1);
}

bool
valgrind_log_mark(struct text *t, uint64_t *pid, char *mark)
{
	struct text rest = *t;

	if (rest.size < 5 || (rest.data[0] != '=' && rest.data[0] != '-' && rest.data[0] != '*') ||
		rest.data[1] != rest.data[0] || !char_is_digit(rest.data[2]))
		return false;
	*mark = rest.data[0];
	rest = text_from_at(rest, 2);
	scan_time(&rest);
	if (!scan_decimal(&rest, pid) || !scan_char(&rest, *mark) || !scan_char(&rest, *mark))
		return false;
	if (rest.size && rest.data[0] != ' ')
		return false;
	*t = text_from_at(rest, 1);
	return true;
}

const char *
valgrind_log_tool(struct text t, bool *known)
{
	static const struct {
		const char *line, *tool;
		bool known;
	} tools[] = {
		{ "Memcheck, a memory error detector", "memcheck", true },
		{ "Helgrind, a thread error detector", "helgrind", true },
		{ "drd, a thread error detector", "drd", true },
		{ "Massif, a heap profiler", "massif", false },
		{ "Cachegrind, a ", "cachegrind", false },
		{ "Callgrind, a ", "callgrind", false },
		{ "DHAT, a dynamic heap", "dhat", false },
		{ "Lackey, an example", "lackey", false },
		{ "Nulgrind, the minimal", "none", false },
	};

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		if (text_begins(t, tools[i].line)) {
			*known = tools[i].known;
			return tools[i].tool;
		}
	return NULL;
}

/* Phrases at the beginning or end of an error's first line, or inside it. */
static const struct {
	const char *begin, *inside, *kind;
} kinds[] = {
	{ "Invalid read of size ", NULL, "InvalidRead" },
	{ "Invalid write of size ", NULL, "InvalidWrite" },
	{ "Conditional jump or move depends on uninitialised ", NULL, "UninitCondition" },
	{ "Use of uninitialised value", NULL, "UninitValue" },
	{ "Syscall param ", " byte(s)", "SyscallParam" },
	{ "Invalid free() / delete", NULL, "InvalidFree" },
	{ "Mismatched free() / delete", NULL, "MismatchedFree" },
	{ "Mismatched new/delete size", NULL, "MismatchedAllocateDeallocateSize" },
	{ "Mismatched new[]/delete[] size", NULL, "MismatchedAllocateDeallocateSize" },
	{ "Mismatched ", " alignment", "MismatchedAllocateDeallocateAlignment" },
	{ "Mismatched ", " size", "MismatchedAllocateDeallocateSize" },
	{ "Invalid alignment value", NULL, "InvalidAlignment" },
	{ "Unsafe allocation with size of zero", NULL, "InvalidSize" },
	{ "Invalid size value", NULL, "InvalidSize" },
	{ "realloc() with size 0", NULL, "ReallocSizeZero" },
	{ "Jump to the invalid address", NULL, "InvalidJump" },
	{ "Source and destination overlap", NULL, "Overlap" },
	{ "Illegal memory pool address", NULL, "InvalidMemPool" },
	{ "Argument '", " fishy ", "FishyValue" },
	{ "", "found during client check request", "ClientCheck" },
	{ "", " contains unaddressable byte(s)", "CoreMemError" },
	{ "File descriptor ", " is already closed", "FdBadClose" },
	{ "File descriptor ", " was closed already", "FdBadClose" },
	{ "Possible data race during ", NULL, "Race" },
	{ "Thread #", ": lock order \"", "LockOrder" },
	{ "Thread #", " unlocked an invalid lock at ", "UnlockBogus" },
	{ "Thread #", " currently held by thread #", "UnlockForeign" },
	{ "Thread #", " unlocked a not-locked lock at ", "UnlockUnlocked" },
	{ "Thread #", "'s call to ", "PthAPIerror" },
	{ "Thread #", ": ", "Misc" },
	{ "Conflicting load by thread ", NULL, "ConflictingAccess" },
	{ "Conflicting store by thread ", NULL, "ConflictingAccess" },
	{ "Probably a race condition: condition variable", NULL, "CondRaceErr" },
	{ "Inconsistent association of condition variable", NULL, "CondWaitErr" },
	{ "Destroying condition variable that is being waited upon", NULL, "CondDestrErr" },
	{ "Acquired at:", NULL, "HoldtimeErr" },
	{ "", ": mutex 0x", "MutexErr" },
	{ "", ": cond 0x", "CondErr" },
	{ "", ": condition variable 0x", "CondErr" },
	{ "", ": semaphore 0x", "SemaphoreErr" },
	{ "", ": barrier 0x", "BarrierErr" },
	{ "", ": rwlock 0x", "RwlockErr" },
	{ "The object at address ", " is not a mutex", "MutexErr" },
};

const char *
valgrind_log_kind(struct text what)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (text_begins(what, kinds[i].begin) &&
			(!kinds[i].inside || text_find(what, kinds[i].inside) != TEXT_NOT_FOUND))
			return kinds[i].kind;
	return NULL;
}

const char *
valgrind_log_leak(struct text line)
{
	static const struct {
		const char *words, *kind;
	} leaks[] = {
		{ " are definitely lost in ", "Leak_DefinitelyLost" },
		{ " are indirectly lost in ", "Leak_IndirectlyLost" },
		{ " are possibly lost in ", "Leak_PossiblyLost" },
		{ " are still reachable in ", "Leak_StillReachable" },
	};
	struct vg_leak_text leak;

	if (!line.size || !char_is_digit(line.data[0]) || !valgrind_leak_text(line, &leak))
		return NULL;
	for (size_t i = 0; i < sizeof(leaks) / sizeof(leaks[0]); i++)
		if (text_find(line, leaks[i].words) != TEXT_NOT_FOUND)
			return leaks[i].kind;
	return NULL;
}
