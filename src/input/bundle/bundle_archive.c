/*
 * Unpacking with libarchive: zip and tar, and single files, plain or compressed with gzip, zstd, xz
 * or bzip2.
 */
#include "bundle_private.h"
#include "input/temp_private.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	BLOCK_BYTES = 256 * 1024,
	TAR_BLOCK_BYTES = 512,
};

struct unpacking {
	struct bundle *bundle;
	struct archive *archive;
	const char *name;     /* name of the packed file */
	int64_t packed_bytes; /* size of the packed file */
	bool nested;          /* the packed file is a member of an archive */
	char *block;
};

static bool
is_separator(char c)
{
	return c == '/' || c == '\\';
}

static bool
has_control_characters(const char *s)
{
	for (; *s; s++)
		if (char_is_control(*s))
			return true;
	return false;
}

static bool
part_is(const char *part, size_t size, const char *s)
{
	return size == strlen(s) && memcmp(part, s, size) == 0;
}

/* Splits a path within an archive into folder and name, which are stored in the arena. "/" and "\"
 * separate the parts of the path; "." parts are left out. Sets *hidden for dot files, and for files in
 * dot folders or in macOS's __MACOSX. Rejects absolute paths, "..", and control characters with
 * ERROR_INPUT. */
static bool
split_path(struct arena *a, const char *path, struct bundle_member *member, bool *hidden,
	struct error *err)
{
	char *folder = arena_alloc(a, strlen(path) + 1);
	char *out = folder;
	const char *name = NULL;
	size_t name_size = 0;

	*hidden = false;
	member->folder = "";
	member->name = "";
	if (has_control_characters(path))
		return error_set(err, ERROR_INPUT, "a member's name has control characters");
	if (is_separator(path[0]) || (path[0] && path[1] == ':'))
		return error_set(err, ERROR_INPUT, "the member %s has an absolute name", path);
	for (const char *p = path; *p;) {
		size_t size = 0;

		while (p[size] && !is_separator(p[size]))
			size++;
		if (part_is(p, size, ".."))
			return error_set(
				err, ERROR_INPUT, "the member %s points outside the archive", path);
		if (size && !part_is(p, size, ".")) {
			*hidden = *hidden || p[0] == '.' || part_is(p, size, "__MACOSX");
			/* The previous part is a folder, because another part follows. */
			for (size_t i = 0; i < name_size; i++)
				*out++ = name[i];
			if (name)
				*out++ = '/';
			name = p;
			name_size = size;
		}
		p += size;
		p += *p != '\0';
	}
	*out = '\0';
	member->folder = folder;
	member->name = arena_strndup(a, name ? name : "", name_size);
	return true;
}

static bool
refuse_damage(const struct unpacking *u, const char *name, struct error *err)
{
	const char *why = archive_error_string(u->archive);

	if (archive_read_has_encrypted_entries(u->archive) > 0) {
		error_set(err, ERROR_INPUT, "the archive is encrypted");
		return error_hint(err, "unpack it and load the result");
	}
	error_set(err, ERROR_INPUT, "%s%sthe archive is damaged or truncated (%s)", name,
		*name ? ": " : "", why ? why : "no reason given");
	return false;
}

/* Copies the member's bytes and sets *size to their number. */
static bool
unpack_bytes(struct unpacking *u, const char *name, int fd, int64_t *size, struct error *err)
{
	for (;;) {
		la_ssize_t n = archive_read_data(u->archive, u->block, BLOCK_BYTES);

		if (n == 0 || (u->bundle->options.head_only &&
				      (n < 0 || *size >= BUNDLE_STREAM_HEAD_BYTES)))
			return true;
		if (n < 0)
			return refuse_damage(u, name, err);
		if (!bundle_may_write(u->bundle, n, u->nested, err))
			return false;
		if (!temp_write(fd, u->block, (size_t)n, err))
			return error_prefix(err, "cannot unpack %s", name);
		*size += n;
	}
}

static bool
check_type(struct archive_entry *e, const char *path, struct error *err)
{
	const char *what = NULL;

	if (archive_entry_is_encrypted(e))
		what = "is encrypted";
	else if (archive_entry_hardlink(e) || archive_entry_hardlink_utf8(e))
		what = "is a hard link";
	else if (archive_entry_filetype(e) == AE_IFLNK)
		what = "is a symbolic link";
	else if (archive_entry_filetype(e) != AE_IFREG && archive_entry_filetype(e) != AE_IFDIR)
		what = "is not a regular file";
	if (!what)
		return true;
	error_set(err, ERROR_INPUT, "the member %s %s", path, what);
	return error_hint(err, "unpack it and load the result");
}

static bool
unpack_entry(struct unpacking *u, struct archive_entry *e, struct error *err)
{
	struct bundle *b = u->bundle;
	const char *path = archive_entry_pathname_utf8(e);
	struct bundle_member member = { 0 };
	bool hidden;
	int fd;
	bool ok;

	if (!path)
		path = archive_entry_pathname(e);
	if (!path || !*path)
		return error_set(err, ERROR_INPUT, "a member's name cannot be read");
	if (!split_path(&b->arena, path, &member, &hidden, err) || !check_type(e, path, err))
		return false;
	if (archive_entry_filetype(e) == AE_IFDIR || hidden)
		return true;
	if (!*member.name)
		return error_set(err, ERROR_INPUT, "the member %s has no name", path);
	/* If the member is too large, reject it before any byte is written. */
	if (archive_entry_size_is_set(e) && archive_entry_size(e) > b->limits.bytes - b->unpacked)
		return limits_exceeded(&b->limits, "bytes", err,
			"%s: it unpacks to more than %" PRId64 " bytes", path, b->limits.bytes);
	fd = temp_open(err);
	if (fd < 0)
		return false;
	ok = unpack_bytes(u, member.name, fd, &member.size, err) ||
	     (err->code == ERROR_LIMIT && error_prefix(err, "%s", path));
	return bundle_add(b, member, fd, ok ? err : &(struct error){ 0 }) && ok;
}

/* Returns whether a tar archive ends with a block of zeros, as a complete one does. libarchive does not
 * detect truncation between two members. A compressed archive is not checked here, because its checksum
 * reveals truncation. */
static bool
tar_is_whole(const struct unpacking *u, int fd)
{
	char block[TAR_BLOCK_BYTES];

	if ((archive_format(u->archive) & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_TAR ||
		archive_filter_code(u->archive, 0) != ARCHIVE_FILTER_NONE)
		return true;
	if (u->packed_bytes % TAR_BLOCK_BYTES != 0 ||
		pread(fd, block, sizeof(block), u->packed_bytes - TAR_BLOCK_BYTES) !=
			(ssize_t)sizeof(block))
		return false;
	for (size_t i = 0; i < sizeof(block); i++)
		if (block[i])
			return false;
	return true;
}

static bool
begins_with(int fd, const char *magic, size_t size)
{
	char begin[8];

	return pread(fd, begin, size, 0) == (ssize_t)size && memcmp(begin, magic, size) == 0;
}

static bool
is_compressed(int fd)
{
	return begins_with(fd, "\x1f\x8b", 2) || begins_with(fd, "\x28\xb5\x2f\xfd", 4) ||
	       begins_with(fd, "\xfd\x37zXZ", 5) || begins_with(fd, "BZh", 3);
}

/* Reports a file whose beginning libarchive cannot read. */
static bool
refuse_unknown(const struct unpacking *u, int fd, struct error *err)
{
	const char *why = archive_error_string(u->archive);
	bool unrecognized = why && strstr(why, "Unrecognized archive");

	if (begins_with(fd, "PK\5\6", 4))
		error_set(err, ERROR_INPUT, "the archive has no files");
	else if (begins_with(fd, "PK\3\4", 4) || (why && !unrecognized))
		/* Do not call refuse_damage here, because it asks libarchive about encryption. After
		 * a failed open, this question makes libarchive 3.6 use a null pointer. */
		error_set(err, ERROR_INPUT, "the archive is damaged or truncated%s%s%s",
			why && !unrecognized ? " (" : "", why && !unrecognized ? why : "",
			why && !unrecognized ? ")" : "");
	else
		error_set(err, ERROR_INPUT, "the file is empty or damaged");
	return error_hint(err, BUNDLE_HINT);
}

/* Rejects bytes after the archive's end, except zeros, which are padding. */
static bool
check_rest(const struct unpacking *u, int fd, struct error *err)
{
	int64_t at = archive_filter_bytes(u->archive, -1);
	ssize_t n;

	while (at < u->packed_bytes && (n = pread(fd, u->block, BLOCK_BYTES, at)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			if (u->block[i])
				return error_set(err, ERROR_INPUT,
					"damaged or truncated: invalid data at byte %" PRId64,
					at + i);
		at += n;
	}
	return true;
}

/* The name without its compression suffix. */
static const char *
unpacked_name(struct arena *a, const char *name)
{
	static const char *const endings[] = { ".gz", ".zst", ".xz", ".bz2" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t size = strlen(name);
		size_t tail = strlen(endings[i]);

		if (size > tail && text_ends_nocase(text_from(name), endings[i]))
			return arena_strndup(a, name, size - tail);
	}
	return arena_strdup(a, name);
}

/* Unpacks the bytes of a single compressed file. */
static bool
unpack_file(struct unpacking *u, int fd, struct bundle_entry *e, struct error *err)
{
	e->fd = temp_open(err);
	return e->fd >= 0 && unpack_bytes(u, u->name, e->fd, &e->member.size, err) &&
	       (u->bundle->options.head_only || check_rest(u, fd, err));
}

static bool
add_single(struct unpacking *u, int fd, struct error *err)
{
	struct bundle *b = u->bundle;
	struct bundle_entry e = { .member = { .folder = "" }, .fd = -1 };

	b->is_file = true;
	if (!u->packed_bytes || archive_filter_code(u->archive, 0) == ARCHIVE_FILTER_NONE) {
		e.member.name = arena_strdup(&b->arena, u->name);
		e.member.size = u->packed_bytes;
		e.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (e.fd < 0)
			return error_set_errno(err, ERROR_FILE, "cannot be opened");
	} else {
		e.member.name = unpacked_name(&b->arena, u->name);
		if (!unpack_file(u, fd, &e, err)) {
			if (e.fd >= 0)
				close(e.fd);
			return false;
		}
	}
	return bundle_add(b, e.member, e.fd, err);
}

static bool
unpack_all(struct unpacking *u, int fd, struct error *err)
{
	struct archive_entry *e;
	size_t entries = 0;
	int r;

	if (archive_read_open_fd(u->archive, fd, BLOCK_BYTES) != ARCHIVE_OK)
		return refuse_unknown(u, fd, err);
	while ((r = archive_read_next_header(u->archive, &e)) != ARCHIVE_EOF) {
		entries++;
		/* A warning only means that the locale lacks a character of the name. That does no
		 * harm, because names are read as UTF-8. */
		if (r != ARCHIVE_OK && r != ARCHIVE_WARN)
			return archive_format(u->archive) ? refuse_damage(u, "", err)
							  : refuse_unknown(u, fd, err);
		if (archive_format(u->archive) == ARCHIVE_FORMAT_RAW)
			return begins_with(fd, "PK\3\4", 4) || begins_with(fd, "PK\5\6", 4)
				       ? refuse_unknown(u, fd, err)
				       : add_single(u, fd, err);
		if (!unpack_entry(u, e, err))
			return false;
	}
	/* libarchive treats a file that begins with zeros as an archive without members. */
	if (!entries && begins_with(fd, "\0\0\0\0", 4) &&
		archive_filter_code(u->archive, 0) == ARCHIVE_FILTER_NONE)
		return add_single(u, fd, err);
	if (!tar_is_whole(u, fd))
		return error_set(err, ERROR_INPUT, "the archive is truncated");
	return true;
}

/* Enables only the filters that are built into libarchive. For other filters, libarchive would run
 * an external program. */
static void
choose_filters(struct archive *a)
{
	archive_read_support_filter_gzip(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_bzip2(a);
}

/* Starts unpacking. libarchive drops names that the locale cannot represent, so this thread
 * switches to a locale that can represent all of them. */
static bool
unpacking_begin(struct unpacking *u, int fd, locale_t *utf8, locale_t *before, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return error_set_errno(err, ERROR_FILE, "cannot open %s", u->name);
	u->packed_bytes = st.st_size;
	u->archive = archive_read_new();
	if (!u->archive)
		return error_set(err, ERROR_INTERNAL, "cannot initialise libarchive");
	choose_filters(u->archive);
	u->block = xmalloc(BLOCK_BYTES);
	*utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	*before = uselocale(*utf8);
	return true;
}

static void
unpacking_end(struct unpacking *u, locale_t utf8, locale_t before)
{
	uselocale(before);
	if (utf8)
		freelocale(utf8);
	archive_read_free(u->archive);
	free(u->block);
}

bool
bundle_unpack(struct bundle *b, int fd, const char *name, struct error *err)
{
	struct unpacking u = { .bundle = b, .name = name };
	locale_t utf8 = (locale_t)0;
	locale_t before = (locale_t)0;
	bool ok;

	if (!unpacking_begin(&u, fd, &utf8, &before, err))
		return false;
	/* Zip archives are read through the directory at their end, so that a truncated archive is
	 * rejected before any member is unpacked. */
	archive_read_support_format_zip_seekable(u.archive);
	archive_read_support_format_tar(u.archive);
	archive_read_support_format_raw(u.archive);
	if (u.packed_bytes == 0 && b->options.allow_empty) {
		ok = add_single(&u, fd, err);
	} else if (u.packed_bytes == 0) {
		ok = error_set(err, ERROR_INPUT, "the file is empty");
		error_hint(err, BUNDLE_HINT);
	} else {
		b->packed = u.packed_bytes;
		ok = unpack_all(&u, fd, err);
	}
	unpacking_end(&u, utf8, before);
	return ok ||
	       error_prefix(err, "%s", strcmp(b->path, "-") == 0 ? "standard input" : b->path);
}

static bool
expand(struct bundle *b, struct bundle_entry *e, int fd, struct error *err)
{
	struct unpacking u = { .bundle = b, .name = e->member.name };
	struct bundle_entry out = { .member = { .folder = e->member.folder }, .fd = -1 };
	struct archive_entry *header;
	locale_t utf8 = (locale_t)0;
	locale_t before = (locale_t)0;
	bool ok;

	if (!unpacking_begin(&u, fd, &utf8, &before, err))
		return false;
	archive_read_support_format_raw(u.archive);
	b->size -= e->member.size;
	u.nested = bundle_count_packed(b, e);
	if (archive_read_open_fd(u.archive, fd, BLOCK_BYTES) != ARCHIVE_OK ||
		archive_read_next_header(u.archive, &header) != ARCHIVE_OK)
		ok = refuse_unknown(&u, fd, err);
	else
		ok = unpack_file(&u, fd, &out, err);
	unpacking_end(&u, utf8, before);
	if (!ok) {
		if (out.fd >= 0)
			close(out.fd);
		return error_prefix(err, "%s: %s", b->path, e->member.name);
	}
	if (e->fd >= 0)
		close(e->fd);
	out.member.name = unpacked_name(&b->arena, e->member.name);
	b->size += out.member.size;
	*e = out;
	return true;
}

bool
bundle_expand_members(struct bundle *b, struct error *err)
{
	for (size_t i = 0; !b->is_file && i < b->count; i++) {
		int fd;
		bool ok;

		/* The format's reader reports unreadable members. */
		if ((fd = bundle_open_member(b, i, &(struct error){ .code = ERROR_NONE })) < 0)
			continue;
		ok = !is_compressed(fd) || expand(b, &b->entries[i], fd, err);
		close(fd);
		if (!ok)
			return false;
	}
	return true;
}
