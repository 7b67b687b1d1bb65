/*
 * Checksums of a result set's rows, one per relation. A load computes them from the rows that it sends.
 * Other commands that change a closed result set compute them by reading the changed relations.
 */
#ifndef PROFDEPOT_SRC_STORE_CHECKSUMS_H
#define PROFDEPOT_SRC_STORE_CHECKSUMS_H

#include "base/hash.h"
#include "store/relations.h"

struct db;
struct strbuf;

/* Computes the checksum of a relation's stored rows; 0 if there are no rows. */
bool checksum_read(
	struct db *db, int64_t inst_id, enum relation r, struct hash128 *sum, struct error *err);

/* Writes the checksums of the first RELATIONS_SUMMED relations. The result set must have no
 * checksums yet. */
bool checksums_write(
	struct copier *c, int64_t inst_id, const struct hash128 *sums, struct error *err);

/* Reads all rows of a result set, and replaces its checksums. */
bool checksums_renew(struct db *db, int64_t inst_id, struct error *err);

/* Replaces the checksum of one relation, if the result set has checksums. */
bool checksum_renew(struct db *db, int64_t inst_id, enum relation r, struct error *err);

/* Reads all rows of a result set. For each relation with rows, appends its name to one SQL array
 * and its checksum to another. */
bool checksums_list(struct db *db, int64_t inst_id, struct strbuf *names, struct strbuf *sums,
	struct error *err);

#endif
