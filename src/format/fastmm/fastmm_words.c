/* The words of FastMM's message sets; see fastmm_private.h. */
#include "fastmm_private.h"

enum {
	MIN_DASHES = 8, /* minimum on each side of an entry's time */
};

/* --- the head of an entry --------------------------------------------------------------------- */

static size_t
dashes(struct text t)
{
	size_t n = 0;

	while (n < t.size && t.data[n] == '-')
		n++;
	return n;
}

/* Scans "2026/11/23" or "2026-11-23". */
static bool
scan_date(struct text *t, char *separator)
{
	uint64_t year, month, day;

	if (!scan_decimal(t, &year) || year < 1980 || year > 9999 || !t->size)
		return false;
	*separator = t->data[0];
	return (*separator == '/' || *separator == '-') && scan_char(t, *separator) &&
	       scan_decimal(t, &month) && month <= 12 && scan_char(t, *separator) &&
	       scan_decimal(t, &day) && day <= 31;
}

bool
fastmm_head(struct text line, int *version, char time[FM_TIME_BYTES], bool *cut)
{
	size_t n = dashes(line);
	struct text t = text_from_at(line, n);
	struct text begin = t;
	char separator;
	size_t size;

	if (n < MIN_DASHES || !scan_date(&t, &separator))
		return false;
	*version = separator == '/' ? 4 : 5;
	*cut = !t.size;
	if (!*cut) {
		if (!scan_char(&t, ' '))
			return false;
		while (t.size && (char_is_digit(t.data[0]) || t.data[0] == ':' || t.data[0] == '.'))
			t = text_from_at(t, 1);
		if (dashes(t) < MIN_DASHES)
			return false;
	}
	size = begin.size - t.size;
	snprintf(time, FM_TIME_BYTES, "%.*s",
		(int)(size < FM_TIME_BYTES ? size : FM_TIME_BYTES - 1), begin.data);
	return true;
}

/* --- message sets ----------------------------------------------------------------------------- */

const char *
fastmm_code_page(struct text line)
{
	/* Words that occur in sentences about a leak, a class or an error. */
	static const struct {
		const char *word, *page;
	} words[] = {
		{ "\xE1\xEB\xEE\xEA", "CP1251" },        /* block: Belarusian, Russian, Ukrainian */
		{ "\xC4\xDA\xB4\xE6", "GB18030" },       /* memory: Chinese */
		{ "u\xBFywany", "CP1250" },              /* used: Polish */
		{ "wykry\xB3 b\xB3\xB9\x64", "CP1250" }, /* found an error: Polish */
		{ "b\xEC\x68\x65m", "CP1250" },          /* during: Czech */
		{ "pami\xEA\x63i", "CP1250" },           /* memory: Polish */
		{ "t\xF8\xED\x64", "CP1250" },           /* class: Czech */
		{ "pam\xEC\x74", "CP1250" },             /* memory: Czech */
		{ "m\xE3rime", "CP1250" },               /* size: Romanian */
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (text_find(line, words[i].word) != TEXT_NOT_FOUND)
			return words[i].page;
	return NULL;
}

struct text
fastmm_clean(struct fm_report *r, struct text t)
{
	struct line_reader *lines = r->out.in->lines;
	const char *page;
	bool bad = false;

	if (text_utf8_prefix(t.data, t.size) < t.size) {
		page = fastmm_code_page(t);
		if (page)
			line_set_code_page(lines, page);
	}
	t = line_clean(lines, t, &bad);
	strbuf_reset(&r->clean);
	strbuf_append_text(&r->clean, t);
	return strbuf_text(&r->clean);
}

bool
fastmm_is_unknown(struct text class_name)
{
	static const char *const words[] = { "Unknown", "(unknown)", "Onbekend", "Neznámá třída",
		"Unbekannt", "Sconosciuta", "Nieznany", "Desconhecida", "Desconhecido",
		"Desconocida", "Desconocido", "未知", "Inconnu", "Tidak dikenal", "Necunoscut",
		"Necunoscuta", "Неизвестно", "Невідомо", "Невядома" };

	return text_among(class_name, words, sizeof(words) / sizeof(words[0])) <
	       sizeof(words) / sizeof(words[0]);
}

bool
fastmm_is_interface(struct text sentence)
{
	static const char *const words[] = { "nterface", "nterfejs", "nterfaz", "nterfata",
		"nterfaccia", "antarmuka", "ntermuka", "нтерфейс", "нтэрфейс", "接口", "rozhraní",
		"koppelvlak", "Schnittstelle" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (text_find(sentence, words[i]) != TEXT_NOT_FOUND)
			return true;
	return false;
}

const char *
fastmm_operation(struct text sentence)
{
	static const char *const names[] = { "ReallocMem", "FreeMem", "GetMem" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_find(sentence, names[i]) != TEXT_NOT_FOUND)
			return names[i];
	return "free block scan";
}
