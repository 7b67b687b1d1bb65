/* Partitions a depot, and prints what was done. */
#include "app/partition.h"

static void
print_outcome(FILE *out, const struct partition_info *before, int64_t size, bool dry_run)
{
	if (before->size == size)
		fprintf(out, "the depot is already partitioned, with %lld %s per range\n",
			(long long)size,
			by_count((unsigned long long)size, "result set", "result sets"));
	else if (before->size)
		fprintf(out, "%s: %lld instead of %lld result sets per range\n",
			dry_run ? "would change future ranges" : "changed future ranges",
			(long long)size, (long long)before->size);
	else
		fprintf(out,
			"%s %lld relations of %.1f MiB: the first range has the result sets up to "
			"%lld, and later ranges have %lld each\n",
			dry_run ? "would partition" : "partitioned",
			(long long)before->relation_count,
			(double)before->bytes / (1024.0 * 1024.0), (long long)before->first_end,
			(long long)size);
}

bool
partition_depot(
	struct db *db, const struct partition_request *request, FILE *out, struct error *err)
{
	struct partition_info before;

	if (!partitions_inspect(db, request->size, &before, err))
		return false;
	if (!request->dry_run && before.size != request->size &&
		!partitions_make(db, request->size, request->progress, err))
		return false;
	print_outcome(out, &before, request->size, request->dry_run);
	return true;
}
