/*
 * The output of a command: standard output, or a file. A file appears completely or not at all, because
 * it is written under a temporary name and renamed at the end.
 */
#ifndef PROFDEPOT_CMD_OUTPUT_FILE_H
#define PROFDEPOT_CMD_OUTPUT_FILE_H

#include "base/error.h"

#include <stdio.h>

struct output_file {
	FILE *stream;
	char *path;      /* NULL if the stream is the caller's */
	char *temporary; /* temporary file in the directory of path */
	bool is_unnamed; /* the temporary file gets its name at the end */
};

/* Help for an option whose value is passed to output_file_choose. */
#define OUTPUT_CHOICE_VALUE "FORMAT|FILE"
#define OUTPUT_CHOICE_HELP \
	"output format: text, csv, csv-safe, json, markdown or html; or a file, whose extension names the " \
	"format: .txt, .csv, .json, .md or .html"

/* Splits the value of --output into the name of a renderer and a path. If the value names a file,
 * sets *path, which must be NULL before. Fails with ERROR_USAGE. */
bool output_file_choose(
	const char *output, const char **format, const char **path, struct error *err);

/* Opens the output. If path is NULL or "-", the stream is `otherwise`. A FIFO or device is opened directly,
 * without a temporary file. */
bool output_file_open(struct output_file *f, const char *path, FILE *otherwise, struct error *err);

/* Closes the output. If `keep` is false, discards it. Returns false if writing failed. */
bool output_file_close(struct output_file *f, bool keep, struct error *err);

#endif
