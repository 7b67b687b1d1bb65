/* Reads the maps that linkers write, and looks up addresses in them; see format/linker_map.h. */
#include "format/linker_map.h"

#include "base/arena.h"
#include "base/array.h"
#include "format/common/text_scan.h"
#include "input/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	MAX_ITEMS = 16 * 1024 * 1024,
	MAX_SEGMENTS = 256,
	MAX_LINE_BYTES = 64 * 1024,
	PAGE_BYTES = 0x1000, /* the first segment begins one page after the module's base */
	OLD_BASE = 0x400000,
};

struct map_symbol {
	uint64_t address;
	struct text name;
	size_t order; /* in the file */
};

struct map_unit {
	uint64_t address, size;
	struct text name;
};

struct map_line {
	uint64_t address;
	int32_t line;
	uint32_t file; /* its index */
};

/* A segment of code. */
struct map_segment {
	uint64_t number, address, size;
};

struct linker_map {
	struct text module;
	struct map_segment segments[MAX_SEGMENTS];
	size_t segment_count;
	struct map_symbol *symbols;
	size_t symbol_count, symbol_room;
	struct map_unit *units;
	size_t unit_count, unit_room;
	struct map_line *lines;
	size_t line_count, line_room;
	struct text *files;
	size_t file_count, file_room;
};

struct linker_maps {
	struct arena arena;
	struct linker_map **maps;
	size_t count, room;
};

enum section {
	SECTION_OTHER,
	SECTION_SEGMENTS,
	SECTION_UNITS,
	SECTION_PUBLICS,
	SECTION_LINES,
};

/* A map that is being read. */
struct map_reading {
	struct linker_map *map;
	struct arena *arena;
	struct line_reader *reader;
	enum section section;
	bool full; /* the map has too many items */
};

struct linker_maps *
linker_maps_new(void)
{
	return xcalloc(1, sizeof(struct linker_maps));
}

void
linker_maps_free(struct linker_maps *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->count; i++) {
		free(m->maps[i]->symbols);
		free(m->maps[i]->units);
		free(m->maps[i]->lines);
		free(m->maps[i]->files);
		free(m->maps[i]);
	}
	free(m->maps);
	arena_release(&m->arena);
	free(m);
}

/* --- lines of a map -------------------------------------------------------------------------------- */

/* Scans "0001:00012345". */
static bool
scan_place(struct text *t, uint64_t *segment, uint64_t *offset)
{
	struct text rest = *t;

	scan_blanks(&rest);
	if (!scan_hex(&rest, segment) || !scan_char(&rest, ':') || !scan_hex(&rest, offset))
		return false;
	*t = rest;
	return true;
}

static const struct map_segment *
find_segment(const struct linker_map *m, uint64_t number)
{
	for (size_t i = 0; i < m->segment_count; i++)
		if (m->segments[i].number == number)
			return &m->segments[i];
	return NULL;
}

/* Scans a place in a segment of code. */
static bool
scan_address(const struct linker_map *m, struct text *t, uint64_t *address)
{
	uint64_t number, offset;
	const struct map_segment *s;

	if (!scan_place(t, &number, &offset))
		return false;
	s = find_segment(m, number);
	if (!s || offset > s->size)
		return false;
	*address = s->address + offset;
	return true;
}

/* Takes "0001:00401000 0010F1C8H .text CODE". */
static void
take_segment(struct linker_map *m, struct text t)
{
	struct map_segment s;
	struct text class_name;

	if (m->segment_count == MAX_SEGMENTS || !scan_place(&t, &s.number, &s.address))
		return;
	scan_blanks(&t);
	if (!scan_hex(&t, &s.size) || !scan_char(&t, 'H') || s.size > UINT32_MAX ||
		s.address > UINT64_MAX - UINT32_MAX)
		return;
	scan_token(&t);
	class_name = scan_token(&t);
	if (!text_equal(class_name, TEXT_LITERAL("CODE")) &&
		!text_equal(class_name, TEXT_LITERAL("ICODE")))
		return;
	/* An old linker writes 0 instead of a segment's address. The first segment has a fixed address; the others are
	 * skipped. */
	if (!s.address && s.number == 1)
		s.address = OLD_BASE + PAGE_BYTES;
	if (s.address)
		m->segments[m->segment_count++] = s;
}

static struct text
keep(struct map_reading *r, struct text t)
{
	bool bad = false;

	return arena_text(r->arena, line_clean(r->reader, t, &bad));
}

/* Takes "0001:00000000 0000D1A4 C=CODE S=.text G=(none) M=System.SysUtils ALIGN=4". */
static void
take_unit(struct map_reading *r, struct text t)
{
	struct map_unit u;
	size_t at = text_find(t, " M=");

	if (at == TEXT_NOT_FOUND || !scan_address(r->map, &t, &u.address))
		return;
	scan_blanks(&t);
	if (!scan_hex(&t, &u.size))
		return;
	t = text_from_at(t, text_find(t, " M=") + 3);
	u.name = keep(r, scan_token(&t));
	*ARRAY_ADD(r->map->units, r->map->unit_count, r->map->unit_room) = u;
}

static void
take_symbol(struct map_reading *r, struct text t)
{
	struct map_symbol s = { .order = r->map->symbol_count };

	if (!scan_address(r->map, &t, &s.address))
		return;
	s.name = keep(r, text_trim(t));
	if (s.name.size)
		*ARRAY_ADD(r->map->symbols, r->map->symbol_count, r->map->symbol_room) = s;
}

/* Takes "    24 0001:000BC2D4    25 0001:000BC2E8". Line 0 is code that the compiler made. */
static void
take_lines(struct map_reading *r, struct text t)
{
	struct linker_map *m = r->map;
	struct map_line line = { .file = (uint32_t)(m->file_count - 1) };
	uint64_t number;

	for (;;) {
		scan_blanks(&t);
		if (!scan_decimal(&t, &number) || !scan_address(m, &t, &line.address))
			return;
		line.line = (int32_t)number;
		if (number && number <= INT32_MAX)
			*ARRAY_ADD(m->lines, m->line_count, m->line_room) = line;
	}
}

/* Takes "Line numbers for UNIT(FILE) segment .text". */
static bool
take_file(struct map_reading *r, struct text t)
{
	struct linker_map *m = r->map;
	size_t end = text_find(t, ") segment ");

	if (!scan_word(&t, "Line numbers for ") || end == TEXT_NOT_FOUND)
		return false;
	t = text_up_to(t, text_find(t, ") segment "));
	t = text_from_at(t, text_find(t, "("));
	scan_char(&t, '(');
	*ARRAY_ADD(m->files, m->file_count, m->file_room) = keep(r, t);
	return true;
}

/* Begins a section if the line is its heading; otherwise returns false. */
static bool
take_heading(struct map_reading *r, struct text t)
{
	if (text_begins(t, "Start ") && text_ends(t, "Class"))
		r->section = SECTION_SEGMENTS;
	else if (text_begins(t, "Detailed map of segments"))
		r->section = SECTION_UNITS;
	else if (text_begins(t, "Address") && text_find(t, "Publics by ") != TEXT_NOT_FOUND)
		r->section = SECTION_PUBLICS;
	else if (take_file(r, t))
		r->section = SECTION_LINES;
	else
		return false;
	return true;
}

static void
take_line(struct map_reading *r, struct text line)
{
	const struct linker_map *m = r->map;
	struct text t = text_trim(line);

	if (!t.size || take_heading(r, t))
		return;
	if (!char_is_digit(t.data[0]))
		r->section = SECTION_OTHER;
	else if (r->section == SECTION_SEGMENTS)
		take_segment(r->map, t);
	else if (r->section == SECTION_UNITS)
		take_unit(r, t);
	else if (r->section == SECTION_PUBLICS)
		take_symbol(r, t);
	else if (r->section == SECTION_LINES)
		take_lines(r, t);
	r->full = m->symbol_count > MAX_ITEMS || m->line_count > MAX_ITEMS ||
		  m->unit_count > MAX_ITEMS || m->file_count > MAX_ITEMS;
}

/* --- reading ------------------------------------------------------------------------------------------ */

static int
compare_addresses(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_symbols(const void *a, const void *b)
{
	const struct map_symbol *x = a;
	const struct map_symbol *y = b;
	int c = compare_addresses(x->address, y->address);

	return c ? c : (x->order > y->order) - (x->order < y->order);
}

static int
compare_units(const void *a, const void *b)
{
	return compare_addresses(
		((const struct map_unit *)a)->address, ((const struct map_unit *)b)->address);
}

static int
compare_lines(const void *a, const void *b)
{
	const struct map_line *x = a;
	const struct map_line *y = b;
	int c = compare_addresses(x->address, y->address);

	return c ? c : (x->line > y->line) - (x->line < y->line);
}

static void
sort(struct linker_map *m)
{
	if (m->symbol_count)
		qsort(m->symbols, m->symbol_count, sizeof(*m->symbols), compare_symbols);
	if (m->unit_count)
		qsort(m->units, m->unit_count, sizeof(*m->units), compare_units);
	if (m->line_count)
		qsort(m->lines, m->line_count, sizeof(*m->lines), compare_lines);
}

/* The file's name without folder and extension. */
static struct text
stem_of(struct text path)
{
	size_t dot;

	for (size_t i = path.size; i > 0; i--)
		if (path.data[i - 1] == '/' || path.data[i - 1] == '\\') {
			path = text_from_at(path, i);
			break;
		}
	for (dot = path.size; dot && path.data[dot - 1] != '.';)
		dot--;
	return text_up_to(path, dot > 1 ? dot - 1 : path.size);
}

static bool
read_lines(struct map_reading *r, const char *path, struct error *err)
{
	struct line line;
	bool more;

	for (;;) {
		if (!line_next(r->reader, &line, &more, err))
			return false;
		if (!more)
			break;
		take_line(r, line.text);
		if (r->full)
			return error_set(err, ERROR_LIMIT,
				"%s: the linker's map has more than %d routines or lines", path,
				MAX_ITEMS);
	}
	if (r->map->segment_count && r->map->symbol_count)
		return true;
	error_set(err, ERROR_INPUT, "%s: not a linker's map: no %s", path,
		r->map->segment_count ? "routines in \"Publics by Value\""
				      : "segments in \"Start Length Name Class\"");
	return error_hint(err, "set Delphi's linker option \"Map file\" to \"Detailed\"");
}

bool
linker_maps_read(struct linker_maps *m, const char *path, struct error *err)
{
	const struct line_options options = {
		.source = path, .log = true, .max_line_bytes = MAX_LINE_BYTES
	};
	struct map_reading r = { .arena = &m->arena };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok;

	if (fd < 0) {
		error_set_errno(err, ERROR_FILE, "cannot open the linker's map %s", path);
		return error_hint(err, "Delphi writes it beside the program, as PROGRAM.map");
	}
	r.map = xcalloc(1, sizeof(*r.map));
	*ARRAY_ADD(m->maps, m->count, m->room) = r.map;
	r.map->module = arena_text(&m->arena, stem_of(text_from(path)));
	r.reader = line_reader_new_fd(fd, &options);
	line_set_code_page(r.reader, "CP1252");
	ok = read_lines(&r, path, err);
	sort(r.map);
	line_reader_free(r.reader);
	close(fd);
	return ok;
}

/* --- looking up -------------------------------------------------------------------------------------- */

/* The number of items with an address up to `address`. The address is the first member of an item. */
static size_t
count_up_to(const void *items, size_t count, size_t item_bytes, uint64_t address)
{
	const char *bytes = items;
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;
		uint64_t at;

		memcpy(&at, bytes + middle * item_bytes, sizeof(at));
		if (at > address)
			count = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool
has_code(const struct linker_map *m, uint64_t address)
{
	for (size_t i = 0; i < m->segment_count; i++)
		if (address >= m->segments[i].address &&
			address - m->segments[i].address < m->segments[i].size)
			return true;
	return false;
}

static const struct map_unit *
find_unit(const struct linker_map *m, uint64_t address)
{
	size_t n = count_up_to(m->units, m->unit_count, sizeof(*m->units), address);

	if (!n || address - m->units[n - 1].address >= m->units[n - 1].size)
		return NULL;
	return &m->units[n - 1];
}

static const struct map_symbol *
find_symbol(const struct linker_map *m, uint64_t address)
{
	size_t n = count_up_to(m->symbols, m->symbol_count, sizeof(*m->symbols), address);

	if (!n)
		return NULL;
	/* If an address has several names, use the first one. */
	while (n > 1 && m->symbols[n - 2].address == m->symbols[n - 1].address)
		n--;
	return &m->symbols[n - 1];
}

/* "Orders.{System.Generics.Collections}TList<Orders.TOrder>.Add": an instance of another unit's generic class. */
static void
take_instance(struct linker_place *p)
{
	size_t begin = text_find(p->name, "{");
	size_t end = text_find(p->name, "}");

	if (begin == TEXT_NOT_FOUND || end == TEXT_NOT_FOUND || end < begin + 2 ||
		end + 1 == p->name.size)
		return;
	p->unit = text_from_at(text_up_to(p->name, end), begin + 1);
	p->name = text_from_at(p->name, end + 1);
}

/* Finds the routine of an address in code, and the source line. The line is unknown if the nearest line number before
 * the address belongs to another routine. */
static bool
find_in(const struct linker_map *m, uint64_t address, struct linker_place *out)
{
	const struct map_symbol *symbol = find_symbol(m, address);
	const struct map_unit *unit = find_unit(m, address);
	size_t n = count_up_to(m->lines, m->line_count, sizeof(*m->lines), address);

	*out = (struct linker_place){ .unit = unit ? unit->name : TEXT_NULL };
	if (!symbol || (unit && symbol->address < unit->address))
		return false;
	out->name = symbol->name;
	take_instance(out);
	if (n && m->lines[n - 1].address >= symbol->address) {
		out->line = m->lines[n - 1].line;
		out->file = m->files[m->lines[n - 1].file];
	}
	return true;
}

/* The address at which the module begins. */
static uint64_t
base_of(const struct linker_map *m)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < m->segment_count; i++)
		if (m->segments[i].address < first)
			first = m->segments[i].address;
	return first >= PAGE_BYTES ? first - PAGE_BYTES : 0;
}

bool
linker_maps_find(const struct linker_maps *m, struct text module, uint64_t address, bool exact,
	struct linker_place *out)
{
	const struct linker_map *found = NULL;
	uint64_t at = 0;

	for (size_t i = 0; i < m->count; i++) {
		const struct linker_map *map = m->maps[i];
		uint64_t base = base_of(map);
		uint64_t linked = address;

		if (module.size && !text_equal_nocase(stem_of(module), map->module))
			continue;
		if (module.size && linked < base)
			linked += base;
		linked -= !exact && linked;
		if (!has_code(map, linked))
			continue;
		if (found)
			return false;
		found = map;
		at = linked;
	}
	return found && find_in(found, at, out);
}
