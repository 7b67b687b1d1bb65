/* Reads a JSON file into a cJSON tree, for the programs that check test outputs. */
#ifndef PROFDEPOT_TESTS_JSON_FILE_H
#define PROFDEPOT_TESTS_JSON_FILE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns NULL if the file cannot be read or is not exactly one JSON value. The caller deletes the tree. */
static inline cJSON *
json_file_read(const char *path)
{
	FILE *in = fopen(path, "rb");
	char *text = NULL;
	size_t size = 0;
	size_t n;
	cJSON *json;

	if (!in)
		return NULL;
	do {
		text = realloc(text, size + 65536 + 1);
		if (!text)
			abort();
		n = fread(text + size, 1, 65536, in);
		size += n;
	} while (n);
	fclose(in);
	text[size] = '\0';
	json = cJSON_ParseWithOpts(text, NULL, true);
	free(text);
	return json;
}

#endif
