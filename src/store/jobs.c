/* The rows of uploads. */
#include "store/jobs.h"

#include "base/number.h"
#include "store_private.h"

bool
jobs_store(struct db *db, const struct job_added *j, int64_t *created_us, struct error *err)
{
	char bytes[24];

	number_format_int64(j->input_bytes, bytes);
	return store_int64(
		STORE_QUERY(db, "job_add", SQL_STORE_JOB_ADD,
			err, [SQL_STORE_JOB_ADD_JOB] = j->job, [SQL_STORE_JOB_ADD_OWNER] = j->owner,
			[SQL_STORE_JOB_ADD_NAME] = j->name, [SQL_STORE_JOB_ADD_STATE] = j->state,
			[SQL_STORE_JOB_ADD_INPUT_BYTES] = bytes,
			[SQL_STORE_JOB_ADD_SERVER] = j->server),
		0, created_us);
}

bool
jobs_end(struct db *db, const char *job, const struct job_ended *e, struct error *err)
{
	const struct error *x = e->error;
	char rows[24];

	number_format_int64(e->rows, rows);
	return db_done(
		STORE_QUERY(db, "job_end", SQL_STORE_JOB_END, err, [SQL_STORE_JOB_END_JOB] = job,
			[SQL_STORE_JOB_END_STATE] = e->state, [SQL_STORE_JOB_END_ROW_COUNT] = rows,
			[SQL_STORE_JOB_END_CODE] = x ? error_code_name(x->code) : NULL,
			[SQL_STORE_JOB_END_MESSAGE] = x ? x->message : NULL,
			[SQL_STORE_JOB_END_HINT] = x ? x->hint : NULL,
			[SQL_STORE_JOB_END_RESULT] = e->result));
}

bool
jobs_forget(struct db *db, const char *job, struct error *err)
{
	return db_done(STORE_QUERY(
		db, "job_remove", SQL_STORE_JOB_REMOVE, err, [SQL_STORE_JOB_REMOVE_JOB] = job));
}

bool
jobs_lock(struct db *db, const char *number, struct error *err)
{
	return db_done(STORE_QUERY(
		db, "job_lock", SQL_STORE_JOB_LOCK, err, [SQL_STORE_JOB_LOCK_NUMBER] = number));
}

bool
jobs_settle(struct db *db, struct error *err)
{
	bool ok =
		db_begin(db, err) && db_exec(db, store_sql("store/jobs_settle"), err) &&
		db_done(STORE_QUERY(db, "jobs_settle_end", SQL_STORE_JOBS_SETTLE_END,
			err, [SQL_STORE_JOBS_SETTLE_END_CODE] = error_code_name(ERROR_INTERNAL),
			[SQL_STORE_JOBS_SETTLE_END_MESSAGE] =
				"the server ended before the upload was loaded; nothing was stored",
			[SQL_STORE_JOBS_SETTLE_END_HINT] = "send the upload again")) &&
		db_exec(db, store_sql("store/jobs_expire"), err) && db_commit(db, err);

	if (!ok)
		db_rollback(db);
	return ok;
}

struct db_result *
jobs_read(struct db *db, int64_t most, struct error *err)
{
	char number[24];

	number_format_int64(most, number);
	return STORE_QUERY(
		db, "jobs_read", SQL_STORE_JOBS_READ, err, [SQL_STORE_JOBS_READ_MOST] = number);
}
