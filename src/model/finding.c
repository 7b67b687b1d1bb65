/* Identities of findings. */
#include "model/finding.h"

#include "base/char.h"
#include "model/frame_name.h"
#include "model/table.h"

#include <string.h>

enum {
	TEXT_MAX_BYTES = 64 * 1024 * 1024,
	KEY_BYTES = 160,
};

static void
finish(struct sha256 *sha, uint8_t out[IDENTITY_BYTES])
{
	uint8_t whole[SHA256_BYTES];

	sha256_finish(sha, whole);
	memcpy(out, whole, IDENTITY_BYTES);
}

void
finding_frame_of(struct sha256 *sha, const struct table_frame *frame, struct finding_frame *out)
{
	struct strbuf name;

	*out = (struct finding_frame){ .owner = frame_owner_of(frame->module_name,
					       frame->class_name, frame->routine_name,
					       frame->source_file, frame->unit_name) };
	strbuf_init(&name, TEXT_MAX_BYTES);
	frame_name_normal(&name, frame->unit_name, frame->class_name, frame->routine_name);
	out->named = name.size > 0;
	if (out->named) {
		sha256_update(sha, name.data, name.size);
		finish(sha, out->name);
	} else {
		struct text module = text_file_name(frame->module_name);

		sha256_update(sha, module.data, module.size);
		finish(sha, out->module);
	}
	strbuf_release(&name);
}

static bool
has_named(const struct finding_frame *const *frames, size_t count, enum frame_owner_kind owner)
{
	for (size_t i = 0; i < count; i++)
		if (frames[i]->owner == owner && frames[i]->named)
			return true;
	return false;
}

bool
finding_own_identity(struct sha256 *sha, const struct finding_frame *const *frames, size_t count,
	uint8_t out[IDENTITY_BYTES])
{
	bool own = has_named(frames, count, FRAME_OWN);
	const uint8_t *last = NULL;

	if (!own && !has_named(frames, count, FRAME_SYSTEM))
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct finding_frame *f = frames[i];

		if (f->owner != (own ? FRAME_OWN : FRAME_SYSTEM) || (!own && !f->named))
			continue;
		if (!last || memcmp(last, f->name, IDENTITY_BYTES) != 0)
			sha256_update(sha, f->name, IDENTITY_BYTES);
		last = f->name;
	}
	finish(sha, out);
	return true;
}

void
finding_module_identity(struct sha256 *sha, const struct finding_frame *const *frames, size_t count,
	uint8_t out[IDENTITY_BYTES])
{
	for (size_t i = 0; i < count; i++)
		sha256_update(sha, frames[i]->module, IDENTITY_BYTES);
	finish(sha, out);
}

size_t
finding_own_place(const struct finding_frame *const *frames, size_t count)
{
	size_t second = count;

	for (size_t i = count; i-- > 0;)
		if (frames[i]->owner != FRAME_ALLOCATOR)
			second = i;
	for (size_t i = second; i < count; i++)
		if (frames[i]->owner == FRAME_OWN)
			return i;
	return second;
}

struct text
finding_class(struct text class_name)
{
	static const char *const any[] = { "heap", "Unknown" };

	for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++)
		if (text_equal(class_name, text_from(any[i])))
			return TEXT_NULL;
	return frame_owner_of(TEXT_NULL, TEXT_NULL, class_name, TEXT_NULL, TEXT_NULL) ==
			       FRAME_ALLOCATOR
		       ? TEXT_NULL
		       : class_name;
}

/* --- kinds ----------------------------------------------------------------------------------- */

/* Names in lower case, with only letters and digits; * matches any text. They are taken from the
 * manuals of valgrind's tools and from the reports of the sanitizers. */
static const struct {
	const char *kind;
	const char *names[10];
} kinds[] = {
	{ "access", { "invalidread", "invalidwrite", "*bufferoverflow*", "*bufferunderflow*",
			    "*useafter*", "segv*", "containeroverflow*" } },
	{ "uninitialised", { "uninitvalue", "uninitcondition", "useofuninitializedvalue*" } },
	{ "free", { "invalidfree", "mismatchedfree", "*doublefree*", "badfree*", "attemptingfree*",
			  "allocdeallocmismatch*" } },
	{ "race", { "race", "datarace*", "raceon*", "conflictingaccess" } },
	{ "lock-order", { "lockorder", "lockorderinversion*" } },
	{ "overlap", { "overlap", "*paramoverlap*" } },
	{ "unlock",
		{ "unlockunlocked", "unlockforeign", "unlockbogus", "unlockofanunlockedmutex*" } },
};

static size_t
fold(struct text name, char out[KEY_BYTES])
{
	size_t n = 0;

	for (size_t i = 0; i < name.size && n < KEY_BYTES; i++)
		if (char_is_letter(name.data[i]) || char_is_digit(name.data[i]))
			out[n++] = char_lower(name.data[i]);
	return n;
}

void
finding_kind(struct strbuf *out, bool leak, struct text name)
{
	char key[KEY_BYTES];
	struct text folded = { key, fold(name, key) };

	if (leak) {
		strbuf_append_str(out, "leak");
		return;
	}
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (size_t i = 0; kinds[k].names[i]; i++)
			if (text_glob(folded, kinds[k].names[i])) {
				strbuf_append_str(out, kinds[k].kind);
				return;
			}
	strbuf_append_str(out, "error ");
	strbuf_append_text(out, name);
}

void
finding_identity(struct sha256 *sha, const struct finding *f, uint8_t out[IDENTITY_BYTES])
{
	static const char separator = 0x1f;
	const char form[] = { (char)('0' + FRAME_NAME_VERSION), f->own ? 'o' : 's' };
	struct strbuf text;

	strbuf_init(&text, TEXT_MAX_BYTES);
	finding_kind(&text, f->leak, f->name);
	strbuf_append_char(&text, separator);
	frame_name_normal(&text, (struct text){ NULL, 0 }, (struct text){ NULL, 0 }, f->class_name);
	strbuf_append_char(&text, separator);
	sha256_update(sha, form, sizeof(form));
	sha256_update(sha, text.data, text.size);
	if (f->own || f->stack)
		sha256_update(sha, f->own ? f->own : f->stack, IDENTITY_BYTES);
	finish(sha, out);
	strbuf_release(&text);
}
