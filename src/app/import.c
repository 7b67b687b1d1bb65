/* An import: recognises known inputs, reads new ones into a load, and commits the load. */
#include "app/import.h"

#include "base/clock.h"
#include "base/disk_budget.h"
#include "base/memory.h"
#include "db/connection.h"
#include "import_input.h"
#include "input/bundle/bundle.h"
#include "store/categories.h"
#include "store/result_sets.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MAX_TRIES = 12
}; /* a try fails if the rows have an unusual order; it then sets a flag in the plan of the next try */

#define WATCH_SECONDS 0.2
#define MEASURE_SECONDS 0.1
#define MEASURE_ROWS 1024

struct import {
	struct arena *arena;
	struct db *db;
	const struct import_request *request;
	struct import_result *result;
	struct input input;
	struct load_config config;
	const struct load *load; /* the running load, or NULL */
	const struct limits *limits;
	double started, watched, measured; /* clock_seconds() */
	unsigned rows;                     /* number of rows since the last measurement */
	struct error exceeded;             /* set when a measurement exceeds a limit */
	uint8_t digest[SHA256_BYTES];
	bool has_digest;
	struct load_known *known; /* what the digest pass found, for each result set */
	size_t known_count;
};

const char *
import_state_name(enum import_state state)
{
	static const char *const names[] = { "loaded", "known", "checked", "failed" };

	return names[state];
}

static int64_t
rows_so_far(const struct load *l)
{
	int64_t rows = 0;

	for (size_t i = 0; i < load_set_count(l); i++)
		for (size_t r = 0; r < relation_count(); r++)
			rows += load_rows(l, i, r);
	return rows;
}

static void
call_watcher(struct import *im)
{
	double now = clock_seconds();

	if (!im->request->watch || now - im->watched < WATCH_SECONDS)
		return;
	im->watched = now;
	im->request->watch(im->request->watch_self, input_consumed(&im->input),
		input_bytes(&im->input), im->load ? rows_so_far(im->load) : 0);
}

/* Returns the resident memory of the process; 0 if it is unknown. */
static int64_t
memory_bytes(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	char line[128];
	char *rest = line;
	int64_t pages = 0;

	if (!f)
		return 0;
	if (fgets(line, sizeof(line), f)) {
		(void)strtoll(line, &rest, 10);
		pages = strtoll(rest, NULL, 10);
	}
	fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

/* Checks the limits on time and memory. */
static void
measure(struct import *im, double now)
{
	const struct limits *max = im->limits;

	im->measured = now;
	if (now - im->started > (double)max->seconds)
		limits_exceeded(max, "seconds", &im->exceeded,
			"reading takes more than %" PRId64 " seconds", max->seconds);
	else if (max->memory < INT64_MAX && memory_bytes() > max->memory)
		limits_exceeded(max, "memory", &im->exceeded,
			"reading needs more than %" PRId64 " bytes of memory", max->memory);
}

/* Checks the limits, but at most ten times a second, because a measurement needs several system calls. */
static void
measure_often(struct import *im)
{
	const double now = clock_seconds();

	im->rows = 0;
	if (now - im->measured >= MEASURE_SECONDS && !im->exceeded.code)
		measure(im, now);
}

static bool
may_continue(void *self, struct error *err)
{
	struct import *im = self;
	const atomic_bool *cancelled = im->request->cancelled;

	if (cancelled && atomic_load_explicit(cancelled, memory_order_relaxed))
		return error_set(err, ERROR_USAGE, "the load was cancelled");
	if (++im->rows >= MEASURE_ROWS)
		measure_often(im);
	if (!im->exceeded.code)
		return true;
	*err = im->exceeded;
	return false;
}

/* Shows the progress and checks the limits while the input is being opened. */
static bool
tick_open(void *self, int64_t bytes, struct error *err)
{
	struct import *im = self;

	if (im->request->progress)
		progress_stream(im->request->progress, bytes);
	measure_often(im);
	return may_continue(im, err);
}

static void
tick(void *self)
{
	struct import *im = self;

	measure_often(im);
	call_watcher(im);
	if (im->request->progress)
		progress_update(
			im->request->progress, input_consumed(&im->input), input_bytes(&im->input));
}

static void
configure(struct import *im, double started)
{
	const struct import_request *r = im->request;
	const struct format *format =
		r->run.clean && r->format ? format_find(r->format) : im->input.format;

	im->config = (struct load_config){
		.format = format ? format->name : NULL,
		.source_name = im->input.name,
		.tool = r->tool  ? r->tool
			: format ? format->profiler
				 : NULL,
		.input_bytes = !r->run.clean && input_has_digest(&im->input)
				       ? input_bytes(&im->input)
				       : MODEL_NULL,
		.caption = r->caption,
		.application = r->application,
		.app_version = r->app_version,
		.host = r->host,
		.labels = r->labels,
		.label_count = r->label_count,
		.run = r->run,
		.again = r->again,
		.strict = r->strict,
		.keep_issue_texts = r->issue_texts,
		.max_issues = r->max_issues,
		.limits = im->limits,
		.may_continue = may_continue,
		.self = im,
		.started = started,
	};
	if (format)
		memcpy(im->config.covers, format->covers, sizeof(im->config.covers));
}

static bool
digest_input(struct import *im, struct error *err)
{
	if (!input_has_digest(&im->input))
		return true;
	if (!im->has_digest && !input_digest(&im->input, im->digest, err))
		return false;
	im->has_digest = true;
	im->config.input_digest = im->digest;
	return true;
}

/* Skips the input if all its result sets are in the depot, unless the user gave options that can change the result
 * or make the load fail. */
static bool
skip_known_input(struct import *im, bool *skipped, struct error *err)
{
	bool has_size = false;
	int64_t *ids;
	size_t count;

	*skipped = false;
	if (!input_has_digest(&im->input) || im->request->again || im->request->format ||
		im->request->encoding || im->request->options.all_events ||
		im->request->options.maps || im->request->strict || im->request->max_issues >= 0)
		return true;
	if (!load_has_input_size(im->db, im->config.input_bytes, &has_size, err))
		return false;
	if (!has_size)
		return true;
	if (!digest_input(im, err) || !input_check_unchanged(&im->input, err) ||
		!load_find_input(im->arena, im->db,
			&(struct input_key){ .bytes = im->config.input_bytes,
				.digest = im->digest,
				.run = im->request->run.key },
			&ids, &count, err))
		return false;
	if (!count)
		return true;
	im->result->sets = arena_alloc_array(im->arena, count, sizeof(*im->result->sets));
	im->result->set_count = count;
	for (size_t i = 0; i < count; i++)
		im->result->sets[i] = (struct import_set){
			.state = IMPORT_KNOWN, .inst_id = ids[i], .source_inst_id = MODEL_NULL
		};
	*skipped = true;
	return true;
}

/* Reads the input into a new load. If the rows are not in the usual order, starts again with
 * another plan. The caller frees *load. */
static bool
read_input(struct import *im, struct db *db, struct load **load, struct error *err)
{
	for (int tries = 0; tries < MAX_TRIES; tries++) {
		enum format_result r;

		*load = load_new(im->arena, db, &im->config, err);
		if (!*load)
			return false;
		load_skip_known(*load, im->known, im->known_count);
		input_rewind(&im->input);
		im->load = *load;
		r = format_read(im->input.format, &im->input.source, load_sink(*load), err);
		im->load = NULL;
		if (r == FORMAT_DONE) {
			/* A small input can be read completely between two measurements. */
			measure(im, clock_seconds());
			if (may_continue(im, err))
				return true;
			r = FORMAT_FAILED;
		}
		load_free(*load);
		*load = NULL;
		if (r == FORMAT_FAILED)
			return false;
	}
	return error_set(err, ERROR_INTERNAL, "%s changed while it was read", im->request->path);
}

/* Copies the outcomes of a load or of the digest pass. After the digest pass, `known` has one entry per result
 * set; after a load it is NULL. */
static void
copy_outcomes(struct import *im, const struct load *l, enum import_state fresh,
	const struct load_known *known)
{
	size_t count = load_set_count(l);

	im->result->sets = arena_alloc_array(im->arena, count, sizeof(*im->result->sets));
	im->result->set_count = 0;
	im->result->warning = *load_warning(l);
	for (size_t i = 0; i < count; i++) {
		const struct load_outcome *o = load_outcome(l, i);
		struct import_set *set = &im->result->sets[im->result->set_count];

		if (o->state == LOAD_DROPPED)
			continue;
		im->result->set_count++;
		hash128_hex(o->digest, set->digest);
		set->state = o->state == LOAD_KNOWN ? IMPORT_KNOWN : fresh;
		set->inst_id = o->inst_id;
		if (known && known[i].inst_id) {
			set->state = IMPORT_KNOWN;
			set->inst_id = known[i].inst_id;
		}
		set->source_inst_id = o->source_inst_id;
		set->caption = o->caption;
		set->run = o->run;
		memcpy(set->issues, o->issues, sizeof(set->issues));
		set->issue_texts = o->issue_texts;
		set->objects = o->objects;
		set->errors = o->errors;
		set->rows = arena_alloc_array(im->arena, relation_count(), sizeof(*set->rows));
		for (size_t r = 0; r < relation_count(); r++)
			set->rows[r] = load_rows(l, i, r);
		if (o->state == LOAD_KNOWN)
			set->digest[0] = '\0';
	}
}

/*
 * The digest pass: finds out which result sets the depot already has. It is needed for dry runs,
 * and for inputs with several result sets, because known result sets must not be sent. *fresh
 * receives the number of new result sets.
 */
static bool
find_known(struct import *im, size_t *fresh, struct error *err)
{
	struct load *l = NULL;
	int64_t *inst_ids;
	bool ok;

	im->known_count = 0;
	if (!read_input(im, NULL, &l, err))
		return false;
	im->known = arena_alloc_array(im->arena, load_set_count(l), sizeof(*im->known));
	inst_ids = arena_alloc_array(im->arena, load_set_count(l), sizeof(*inst_ids));
	ok = input_check_unchanged(&im->input, err) &&
	     (im->request->again || load_find_known(l, im->db, inst_ids, err));
	*fresh = 0;
	if (ok) {
		im->known_count = load_set_count(l);
		for (size_t i = 0; i < im->known_count; i++) {
			const struct load_outcome *o = load_outcome(l, i);
			int64_t known = im->request->again ? 0 : inst_ids[i];

			if (o->state == LOAD_DROPPED)
				known = LOAD_NOT_OURS;
			im->known[i] = (struct load_known){ known, o->equal_before };
			*fresh += known == 0;
		}
		copy_outcomes(im, l, IMPORT_CHECKED, im->known);
	}
	load_free(l);
	return ok;
}

/* The digest needs a separate pass over the bytes. This pass runs in parallel with the reader, which
 * mostly waits for the server. */
struct digest_job {
	struct import *im;
	struct error err;
	bool ok;
	bool started;
	struct memory_budget *budget; /* the budget of the import's thread */
	pthread_t thread;
};

static void *
run_digest(void *argument)
{
	struct digest_job *job = argument;

	memory_budget_use(job->budget);
	job->ok = input_digest(&job->im->input, job->im->digest, &job->err);
	return NULL;
}

static void
start_digest(struct digest_job *job, struct import *im)
{
	*job = (struct digest_job){ .im = im, .err = ERROR_INIT, .budget = memory_budget_in_use() };
	if (!im->has_digest && input_has_digest(&im->input))
		job->started = pthread_create(&job->thread, NULL, run_digest, job) == 0;
}

static bool
finish_digest(struct digest_job *job, struct error *err)
{
	if (!job->started)
		return digest_input(job->im, err);
	pthread_join(job->thread, NULL);
	job->im->has_digest = job->ok;
	if (!job->ok)
		*err = job->err;
	return job->ok;
}

static bool
load_rows_of(struct import *im, bool *again, struct error *err)
{
	struct load *l = NULL;
	struct digest_job job;
	struct error digest_error = ERROR_INIT;
	bool ok;

	im->config.input_digest = input_has_digest(&im->input) ? im->digest : NULL;
	start_digest(&job, im);
	ok = read_input(im, im->db, &l, err);
	if (!finish_digest(&job, &digest_error) && ok) {
		*err = digest_error;
		ok = false;
	}
	ok = ok && input_check_unchanged(&im->input, err) && load_commit(l, again, err);
	if (ok)
		copy_outcomes(im, l, IMPORT_LOADED, NULL);
	load_free(l);
	return ok;
}

static bool
run(struct import *im, struct error *err)
{
	bool done;
	bool several;
	bool many = false;
	bool again = true;

	if (!skip_known_input(im, &done, err) || done)
		return err->code == ERROR_NONE;
	if (!input_has_several_sets(&im->input, &several, err))
		return false;
	for (int tries = 0; again && tries < MAX_TRIES; tries++) {
		size_t fresh = 1;

		im->config.many = several || im->request->again ? NULL : &many;
		if ((several || im->request->dry_run) && !find_known(im, &fresh, err))
			return false;
		if (fresh == 0 || im->request->dry_run)
			return true;
		if (!load_rows_of(im, &again, err)) {
			if (!many)
				return false;
			error_clear(err);
		}
		/* Known result sets should not be sent. Therefore, the next try begins with the digest pass if
		 * some of many result sets may be known, or if the load found known ones before it committed. */
		several = several || again;
		many = false;
	}
	return !again || error_set(err, ERROR_DATABASE, "%s: another process is loading this input",
				 im->request->path);
}

/* Stores a result set without facts for a run that found nothing and has no file. */
static bool
import_clean(struct import *im, struct error *err)
{
	const struct import_request *r = im->request;
	const struct set_row row = { .source_inst_id = MODEL_NULL,
		.caption = text_from(arena_printf(im->arena, "%s, clean run", r->tool)) };
	struct sink *sink;
	struct load *l;
	uint32_t set;
	bool wanted;
	bool again = false;
	bool ok;

	configure(im, clock_seconds());
	for (int i = 0; i < COVERAGE_WHATS; i++)
		im->config.covers[i] = COVERAGE_UNKNOWN;
	/* Clean runs without a run key are separate runs, even if they are otherwise equal. */
	im->config.again = r->again || !r->run.key;
	l = load_new(im->arena, r->dry_run ? NULL : im->db, &im->config, err);
	if (!l)
		return false;
	sink = load_sink(l);
	ok = sink->set(sink, &row, &set, &wanted, err) && sink->end(sink, err) &&
	     (r->dry_run || load_commit(l, &again, err));
	if (ok)
		copy_outcomes(im, l, r->dry_run ? IMPORT_CHECKED : IMPORT_LOADED, NULL);
	load_free(l);
	return ok;
}

static bool
open_and_run(struct import *im, double started, struct error *err)
{
	const struct import_request *r = im->request;
	const struct category_list *categories = categories_read(im->arena, im->db, err);
	const struct bundle_options options = {
		.limits = im->limits, .tick = tick_open, .tick_self = im
	};
	bool ok;

	if (!categories || !input_open(&im->input, im->arena, r, categories, &options, err))
		return false;
	im->input.source.tick = tick;
	im->input.source.tick_self = im;
	im->input.source.options.named = r->format != NULL;
	im->input.source.options.may_be_clean =
		r->format && (r->run.looked_for || !input_bytes(&im->input));
	configure(im, started);
	im->result->format = im->input.format->name;
	im->result->input_bytes = input_bytes(&im->input);
	ok = run(im, err);
	if (!ok || im->result->set_count)
		return ok;
	error_set(err, ERROR_INPUT, "%s: contains no result set of the %s", r->path,
		im->input.format->profiler);
	return error_hint(err, "its result sets come from another profiler");
}

/* Names what to do if the load wrote too much. */
static void
limit_disk(const struct limits *l, struct error *err)
{
	if (l->fixed)
		error_hint(err,
			"nothing was loaded; the command \"profdepot load\" or a server with a larger "
			"--max-load-disk can load the file");
	else
		error_hint(err, "nothing was loaded; --limit disk=N raises the limit");
}

/* Replaces the text of an error about the memory limit. Otherwise the text would depend on the place in the reader
 * that noticed the limit. */
static void
limit_memory(int64_t limit, struct error *err)
{
	error_set(err, ERROR_MEMORY, "the load needs more than %" PRId64 " MiB of memory",
		limit / (INT64_C(1024) * 1024));
	error_hint(err,
		"nothing was loaded; record less; the command \"profdepot load\" or a server "
		"with a larger --max-load-memory can load the file");
}

bool
import_run(struct arena *a, struct db *db, const struct import_request *request,
	struct import_result *result, struct error *err)
{
	struct import im = { .arena = a, .db = db, .request = request, .result = result };
	struct memory_budget budget = { .limit = request->max_memory_bytes };
	struct disk_budget disk = { 0 };
	double started = clock_seconds();
	bool ok;

	im.limits = request->limits ? request->limits : &limits_local;
	disk.limit = im.limits->disk;
	disk_budget_use(&disk);
	im.started = im.measured = started;
	*result = (struct import_result){ NULL };
	if (request->max_memory_bytes)
		memory_budget_use(&budget);
	ok = request->run.clean ? import_clean(&im, err) : open_and_run(&im, started, err);
	if (!ok && atomic_load(&budget.refused))
		limit_memory(budget.limit, err);
	if (!ok && err->code == ERROR_DISK)
		limit_disk(im.limits, err);
	if (!ok && err->code == ERROR_INPUT && !err->hint[0])
		error_hint(err, "nothing was loaded; fix the file or export it again");
	if (!ok && err->code == ERROR_LIMIT && !err->hint[0])
		error_hint(err, "nothing was loaded; record less, or load the result in parts");
	if (!ok)
		input_name_place(&im.input, request->path, err);
	input_close(&im.input);
	memory_budget_use(NULL);
	disk_budget_use(NULL);
	result->seconds = clock_seconds() - started;
	return ok;
}
