/*
 * Owners of source files, from a CODEOWNERS file as git hosting services read it.
 *
 * Format: PATTERN [OWNER...] [# comment], one rule per line; a line that begins with # is a comment.
 * - Patterns are like gitignore's: * and ? match within one name, ** matches any folders, a final
 *   slash requires a folder, and a folder includes everything in it. Unlike in gitignore, a final *
 *   after a slash matches only files. A backslash makes the next character literal: "\ ", "\#", "\[".
 * - A pattern with a slash at its beginning or inside it is anchored at the repository's root; other
 *   patterns match at any depth. A file with sections is read as GitLab reads it: only a slash at the
 *   beginning anchors a pattern.
 * - An owner is @user, @org/team, @@role or an e-mail address. The last rule that matches wins. A rule
 *   without owners means that the files have no owner.
 * - [Section], ^[Section] and [Section][2] begin a section, as in GitLab. Default owners can follow.
 *   They apply to the rules of the section that have no owners of their own. The last rule of
 *   each section that matches a source file applies to it. The file has the owners of all these rules.
 *
 * "!" and "[a-z]" are errors, because services disagree on them: GitHub ignores such lines, and
 * GitLab applies them. Other lines that services ignore, such as lines with words that are not
 * owners, are errors, too. A comment can follow the owners, as on GitHub.
 *
 * A profiler's path is not a path in the repository. Both / and \ separate names, "." and leading
 * ".." are dropped, and inner ".." are resolved. In paths with a drive or a \, ASCII case is
 * ignored.
 * - A relative path with folders starts at the repository's root.
 * - In an absolute path or URL the root is unknown. The root is assumed to be the first folder below
 *   which an anchored rule matches. For this, only rules without a wildcard in their first name are
 *   tried. The rule "/src/" makes "/home/ci/b7" the root of "/home/ci/b7/src/cart.c". Then all rules
 *   are applied below this root; names above the root match nothing. This root is right even if names
 *   are repeated inside the repository ("src/lib/src"). It is wrong if the path to the repository
 *   contains the name of one of the repository's folders.
 * - If no such rule matches, anchored rules do not apply: otherwise, a rule for *.md at the root would
 *   match every *.md.
 * - A bare file name is treated as an absolute path whose folders are missing: the patterns *.c, shop.c
 *   and /shop.c match the path shop.c.
 */
#ifndef PROFDEPOT_ANALYSIS_OWNERS_H
#define PROFDEPOT_ANALYSIS_OWNERS_H

#include "base/arena.h"

enum {
	OWNERS_MAX_FILE_BYTES = 3 * 1024 * 1024,
	OWNERS_MAX_LINE_BYTES = 8 * 1024,
	OWNERS_MAX_RULES = 100000,
	OWNERS_MAX_SECTIONS = 1000,
	OWNERS_MAX_PATH_NAMES = 256 /* a path with more names has no owners */
};

struct owners;

/* Parses the content of a CODEOWNERS file, which is borrowed during the call. The result is in the
 * arena. On ERROR_INPUT the message begins with "FILE:LINE: ". */
struct owners *owners_parse(
	struct arena *a, const char *file, struct text content, struct error *err);

/* Returns the number of rules. */
size_t owners_count(const struct owners *o);

/* Returns the owners of a source file, separated by one space; TEXT_NULL if it has no owners. Only
 * texts that combine several sections are allocated in the arena; the others are in `o`. The result
 * depends on the path alone, so callers can cache it. Several threads can use `o` concurrently. */
struct text owners_of(const struct owners *o, struct arena *a, struct text source_file);

#endif
