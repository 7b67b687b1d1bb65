/* Finds the owners of a source file; see analysis/owners.h. */
#include "owners_private.h"

/*
 * A rule has a key if its first name is literal, such as src, or is a glob with a literal extension, such
 * as *.c. The key is the hash of the literal names with which the rule begins, or of the extension. For each name of
 * the path, a look-up computes the keys of the rules whose match could begin at this name. It tries only the few
 * rules with these keys, and the rules without a key.
 */
enum {
	KEY_NAMES = 16, /* names in a key */
	NO_ROOT = OWNERS_MAX_PATH_NAMES
};

struct path {
	struct text names[OWNERS_MAX_PATH_NAMES];
	uint64_t hashes[OWNERS_MAX_PATH_NAMES];
	size_t count;
	bool fold;  /* ASCII case is ignored */
	bool whole; /* the path starts at the repository's root */
};

/* --- keys ------------------------------------------------------------------------------------ */

/* FNV-1a, of the text in lower case. */
static uint64_t
hash_text(struct text t)
{
	uint64_t h = UINT64_C(0xCBF29CE484222325);

	for (size_t i = 0; i < t.size; i++)
		h = (h ^ (unsigned char)char_lower(t.data[i])) * UINT64_C(0x100000001B3);
	return h;
}

/* Extends a key by one name. A key without names is 0. */
static uint64_t
key_add(uint64_t key, uint64_t name)
{
	uint64_t h = (key ^ name) * UINT64_C(0x9E3779B97F4A7C15);

	return h ^ h >> 32;
}

static uint64_t
extension_key(struct text extension)
{
	return ~key_add(0, hash_text(extension));
}

/* The part of a name from its last dot; empty if it has no dot. */
static struct text
extension_of(struct text name)
{
	size_t n = name.size;

	while (n && name.data[n - 1] != '.')
		n--;
	return n ? text_from_at(name, n - 1) : text_up_to(name, 0);
}

/* The extension of all names that the glob matches; empty if the extensions can differ. */
static struct text
glob_extension(struct text glob)
{
	struct text e = extension_of(glob);

	for (size_t i = 0; i < e.size; i++)
		if (e.data[i] == '*' || e.data[i] == '?' || e.data[i] == '\\')
			return text_up_to(e, 0);
	return e;
}

static bool
find_key(struct owners *o, struct owners_rule *r)
{
	struct text e;
	size_t n = 0;

	while (n < r->part_count && n < KEY_NAMES && r->parts[n].kind == OWNERS_LITERAL)
		r->key = key_add(r->key, hash_text(r->parts[n++].text));
	o->longest = n > o->longest ? n : o->longest;
	if (n || !r->part_count)
		return n;
	e = glob_extension(r->parts[0].text);
	if (e.size)
		r->key = extension_key(e);
	return e.size;
}

void
owners_index(struct owners *o, struct arena *a)
{
	size_t lists = 16;

	while (lists < 2 * o->count)
		lists *= 2;
	o->lists = arena_alloc_array(a, lists, sizeof(*o->lists));
	o->list_mask = lists - 1;
	for (size_t i = 0; i < o->count; i++) {
		struct owners_rule *r = &o->rules[i];
		uint32_t *list = find_key(o, r) ? &o->lists[r->key & o->list_mask] : &o->others;

		r->next = *list;
		*list = (uint32_t)i + 1;
	}
}

/* --- paths ----------------------------------------------------------------------------------- */

static bool
is_separator(char c)
{
	return c == '/' || c == '\\';
}

/* Adds a name to the path, and resolves "." and "..". Returns false if there are too many names. */
static bool
add_name(struct path *p, struct text name)
{
	if (!name.size || text_equal(name, TEXT_LITERAL(".")))
		return true;
	if (text_equal(name, TEXT_LITERAL(".."))) {
		p->count -= p->count > 0;
		return true;
	}
	if (p->count == OWNERS_MAX_PATH_NAMES)
		return false;
	p->names[p->count++] = name;
	return true;
}

/* Splits a path that a profiler wrote. Returns false if it has no names, or too many. */
static bool
split_path(struct path *p, struct text t)
{
	bool drive = t.size > 1 && char_is_letter(t.data[0]) && t.data[1] == ':';
	bool absolute = drive || (t.size && is_separator(t.data[0])) ||
			text_find(t, "://") != TEXT_NOT_FOUND;

	p->count = 0;
	p->fold = drive || (t.size && memchr(t.data, '\\', t.size));
	for (size_t i = drive ? 2 : 0, begin = i; i <= t.size; i++) {
		if (i < t.size && !is_separator(t.data[i]))
			continue;
		if (!add_name(p, (struct text){ t.data + begin, i - begin }))
			return false;
		begin = i + 1;
	}
	for (size_t i = 0; i < p->count; i++)
		p->hashes[i] = hash_text(p->names[i]);
	p->whole = !absolute && p->count > 1;
	return p->count;
}

/* --- matching -------------------------------------------------------------------------------- */

static bool
same_byte(char a, char b, bool fold)
{
	return a == b || (fold && char_lower(a) == char_lower(b));
}

/* Compares one character of the text with one character of the glob. If they match, moves past both. The glob's
 * character must not be *. */
static bool
glob_step(struct text g, size_t *gi, struct text t, size_t *ti, bool fold)
{
	size_t at = *gi;

	if (at == g.size)
		return false;
	if (g.data[at] == '?') {
		do
			++*ti;
		while (*ti < t.size && ((unsigned char)t.data[*ti] & 0xC0) == 0x80);
		*gi = at + 1;
		return true;
	}
	at += g.data[at] == '\\' && at + 1 < g.size;
	if (!same_byte(g.data[at], t.data[*ti], fold))
		return false;
	*gi = at + 1;
	++*ti;
	return true;
}

/* Returns whether the glob matches the whole text. If a character does not match, only the last * before it tries a
 * longer match. Therefore the time is at most proportional to the product of the two sizes. */
static bool
glob_matches(struct text g, struct text t, bool fold)
{
	size_t gi = 0, ti = 0;
	size_t star = TEXT_NOT_FOUND, mark = 0; /* offsets at which to resume */

	while (ti < t.size) {
		if (gi < g.size && g.data[gi] == '*') {
			star = ++gi;
			mark = ti;
		} else if (!glob_step(g, &gi, t, &ti, fold)) {
			if (star == TEXT_NOT_FOUND)
				return false;
			gi = star;
			ti = ++mark;
		}
	}
	while (gi < g.size && g.data[gi] == '*')
		gi++;
	return gi == g.size;
}

static bool
part_matches(const struct owners_part *part, struct text name, bool fold)
{
	if (part->kind == OWNERS_GLOB)
		return glob_matches(part->text, name, fold);
	return fold ? text_equal_nocase(part->text, name) : text_equal(part->text, name);
}

static bool
tail_fits(enum owners_tail tail, size_t names_left)
{
	return tail == OWNERS_ANYTHING || (tail == OWNERS_INSIDE) == (names_left > 0);
}

/* Returns whether the rule matches the rest of the path, which begins with name number `begin`. Works like
 * glob_matches, with names instead of characters and ** instead of *. */
static bool
rule_matches(const struct owners_rule *r, const struct path *p, size_t begin)
{
	size_t ri = 0, pi = begin;
	size_t stars = TEXT_NOT_FOUND, mark = 0;

	for (;;) {
		if (ri == r->part_count && tail_fits(r->tail, p->count - pi))
			return true;
		if (ri < r->part_count && r->parts[ri].kind == OWNERS_FOLDERS) {
			stars = ++ri;
			mark = pi;
		} else if (ri < r->part_count && pi < p->count &&
			   part_matches(&r->parts[ri], p->names[pi], p->fold)) {
			ri++;
			pi++;
		} else {
			if (stars == TEXT_NOT_FOUND || ++mark > p->count)
				return false;
			ri = stars;
			pi = mark;
		}
	}
}

/* --- look-up --------------------------------------------------------------------------------- */

struct look_up {
	const struct owners *owners;
	struct path path;
	size_t root;                        /* number of the root's first name, or NO_ROOT */
	uint32_t best[OWNERS_MAX_SECTIONS]; /* rule of each section; 0 if no rule matches */
};

static bool
finds_root(const struct look_up *l, uint64_t key, size_t begin)
{
	const struct owners *o = l->owners;

	for (uint32_t n = o->lists[key & o->list_mask]; n; n = o->rules[n - 1].next) {
		const struct owners_rule *r = &o->rules[n - 1];

		if (r->key == key && r->anchored && rule_matches(r, &l->path, begin))
			return true;
	}
	return false;
}

/* Finds the first name of the path at which an anchored rule matches. Considers only rules that begin with a literal
 * name. Returns the number of the path's name, or NO_ROOT. */
static size_t
find_root(const struct look_up *l)
{
	for (size_t begin = 0; begin < l->path.count; begin++) {
		uint64_t key = 0;

		for (size_t n = begin; n < l->path.count && n - begin < l->owners->longest; n++) {
			key = key_add(key, l->path.hashes[n]);
			if (finds_root(l, key, begin))
				return begin;
		}
	}
	return NO_ROOT;
}

/* Compares the rest of the path, which begins with name number `begin`, with the rules of the list that have this
 * key. */
static void
try_list(struct look_up *l, uint32_t list, uint64_t key, size_t begin)
{
	const struct owners *o = l->owners;

	for (uint32_t n = list; n; n = o->rules[n - 1].next) {
		const struct owners_rule *r = &o->rules[n - 1];
		uint32_t *best = &l->best[r->section];

		if (n <= *best && o->section_count == 1)
			return;
		if (n > *best && r->key == key && (!r->anchored || begin == l->root) &&
			rule_matches(r, &l->path, begin))
			*best = n;
	}
}

static void
try_key(struct look_up *l, uint64_t key, size_t begin)
{
	try_list(l, l->owners->lists[key & l->owners->list_mask], key, begin);
}

static void
try_name(struct look_up *l, size_t begin)
{
	struct text e = extension_of(l->path.names[begin]);
	uint64_t key = 0;

	for (size_t n = begin; n < l->path.count && n - begin < l->owners->longest; n++) {
		key = key_add(key, l->path.hashes[n]);
		try_key(l, key, begin);
	}
	if (e.size)
		try_key(l, extension_key(e), begin);
	try_list(l, l->owners->others, 0, begin);
}

/* --- owners ---------------------------------------------------------------------------------- */

static bool
has_word(struct text words, struct text word)
{
	for (size_t at = 0; at < words.size;) {
		struct text rest = text_from_at(words, at);
		const char *space = memchr(rest.data, ' ', rest.size);
		size_t n = space ? (size_t)(space - rest.data) : rest.size;

		if (text_equal(text_up_to(rest, n), word))
			return true;
		at += n + 1;
	}
	return false;
}

/* Appends those words to the list *to that it does not contain yet. `out` is the buffer of *to, and has room for all words. */
static void
add_words(struct text *to, char *out, struct text words)
{
	while (words.size) {
		const char *space = memchr(words.data, ' ', words.size);
		size_t n = space ? (size_t)(space - words.data) : words.size;

		if (!has_word(*to, text_up_to(words, n))) {
			if (to->size)
				out[to->size++] = ' ';
			memcpy(out + to->size, words.data, n);
			to->size += n;
		}
		words = text_from_at(words, n + 1);
	}
}

/* Returns the owners that the section's rule names; NULL if no rule matches, or if the rule names no owners. */
static struct text
section_owners(const struct look_up *l, size_t section)
{
	uint32_t n = l->best[section];

	return n ? l->owners->rules[n - 1].owners : TEXT_NULL;
}

static struct text
join(const struct look_up *l, struct arena *a)
{
	struct text joined = TEXT_NULL;
	size_t owned = 0, size = 0;
	char *out;

	for (size_t i = 0; i < l->owners->section_count; i++) {
		struct text t = section_owners(l, i);

		if (text_is_null(t))
			continue;
		joined = t;
		owned++;
		size += t.size + 1;
	}
	if (owned < 2)
		return joined;
	out = arena_alloc(a, size);
	joined = (struct text){ out, 0 };
	for (size_t i = 0; i < l->owners->section_count; i++)
		add_words(&joined, out, section_owners(l, i));
	return joined;
}

struct text
owners_of(const struct owners *o, struct arena *a, struct text source_file)
{
	struct look_up l = { .owners = o };

	if (!split_path(&l.path, source_file))
		return TEXT_NULL;
	l.root = l.path.whole ? 0 : find_root(&l);
	for (size_t i = l.root == NO_ROOT ? 0 : l.root; i < l.path.count; i++)
		try_name(&l, i);
	return join(&l, a);
}
