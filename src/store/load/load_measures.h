/* Metrics, tracks, samples, spans and trees of a load. */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_MEASURES_H
#define PROFDEPOT_STORE_LOAD_LOAD_MEASURES_H

#include "load_private.h"

/* load_measures.c */
bool load_metric(struct sink *s, uint32_t number, const struct metric_row *row, metric_number *out,
	struct error *err);
bool load_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err);
/* Fails if samples or spans refer to a track that was not added. */
bool load_check_tracks(const struct load_set *set, struct error *err);
bool load_path(struct sink *s, uint32_t number, path_number parent, int64_t routine_id,
	path_number *out, struct error *err);
bool load_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err);
bool load_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err);
bool load_frame(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err);

/* load_blocks.c */
bool block_add_sample(struct load *l, struct load_set *set, int64_t id,
	const struct sample_row *row, struct error *err);
bool block_flush_samples(struct load *l, struct load_set *set, struct error *err);
/* Adds the frame to a block. If it does not fit into a block, sets *fits to false. */
bool block_add_frame(struct load *l, struct load_set *set, const struct frame_row *row, bool *fits,
	struct error *err);
bool block_flush_frames(struct load *l, struct load_set *set, struct error *err);
void blocks_free(struct load_set *set);

/* load_tree.c */
/* Adds the stored spans to the call tree if the reader did not know their paths. */
bool load_find_paths(struct load *l, struct load_set *set, struct error *err);
/* Writes the set's metrics, call tree and routine totals. Call it after emitting all facts. */
bool load_write_metrics(struct load *l, struct load_set *set, struct error *err);
const char *load_total_name(const struct load_set *set, int metric);

#endif
