/* Keeps the event categories in memory, because most requests need them, and rereads them every
 * few seconds. */
#ifndef PROFDEPOT_SERVICE_CATEGORY_CACHE_H
#define PROFDEPOT_SERVICE_CATEGORY_CACHE_H

#include "connections.h"
#include "model/category.h"

struct category_cache;

struct category_cache *category_cache_new(void);
void category_cache_free(struct category_cache *k);

/* Returns the categories, valid until category_cache_leave. While the database is down, these are
 * the categories that were read last. NULL on error. */
const struct category_list *category_cache_use(
	struct category_cache *k, struct connections *c, struct error *err);
void category_cache_leave(struct category_cache *k, const struct category_list *list);

#endif
