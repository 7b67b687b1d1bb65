/* The name and the unit of a metric, for an answer that shows its values. */
#ifndef PROFDEPOT_MODEL_METRIC_NAME_H
#define PROFDEPOT_MODEL_METRIC_NAME_H

#include "base/text.h"

struct metric_name {
	struct text name, unit; /* as in model/measures.h */
	bool gauge;             /* the values are not added up */
};

#endif
