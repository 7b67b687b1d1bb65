/* Demangles C++ and Rust symbols with libiberty. */
#include "format/common/demangle.h"

#include <libiberty/demangle.h>
#include <string.h>

static bool
is_mangled(struct text t)
{
	static const char *const heads[] = { "_Z", "__Z", "_R" };

	if (t.size > DEMANGLE_MAX_INPUT_BYTES)
		return false;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (text_begins(t, heads[i]) && t.size > strlen(heads[i]))
			return true;
	return false;
}

static void
append(const char *data, size_t size, void *out)
{
	strbuf_append(out, data, size);
}

bool
demangle(struct text name, struct strbuf *out, struct text *plain)
{
	enum {
		OPTIONS = DMGL_PARAMS | DMGL_ANSI
	};
	char symbol[DEMANGLE_MAX_INPUT_BYTES + 1];
	const char *begin = symbol;
	bool done;

	if (!is_mangled(name) || memchr(name.data, 0, name.size))
		return false;
	memcpy(symbol, name.data, name.size);
	symbol[name.size] = '\0';
	if (memcmp(symbol, "__Z", 3) == 0)
		begin++; /* skip the underscore that macOS puts before every symbol */
	strbuf_reset(out);
	/* Try Rust first, because its older symbols are C++ symbols that end in a hash. */
	done = rust_demangle_callback(begin, OPTIONS, append, out) != 0;
	if (!done) {
		strbuf_reset(out);
		done = begin[1] == 'Z' &&
		       cplus_demangle_v3_callback(begin, OPTIONS, append, out) != 0;
	}
	*plain = strbuf_text(out);
	return done && !out->failed && plain->size > 0 &&
	       text_utf8_prefix(plain->data, plain->size) == plain->size &&
	       !memchr(plain->data, 0, plain->size);
}
