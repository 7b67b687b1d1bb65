/* The list of all formats. */
#ifndef PROFDEPOT_FORMAT_FORMATS_H
#define PROFDEPOT_FORMAT_FORMATS_H

#include "format/format.h"

#define FORMAT_TABLE(X) \
	X(aqtime) \
	X(aqtimexml) \
	X(chrome) \
	X(speedscope) \
	X(kernelscope) \
	X(sanitizer) \
	X(fastmm) \
	X(fastmmusage) \
	X(delphirtl) \
	X(vld) \
	X(drmemory) \
	X(jcl) \
	X(madexcept) \
	X(eurekalog) \
	X(umdh) \
	X(crt) \
	X(heaptrc) \
	X(jemalloc) \
	X(tcmalloc) \
	X(miniprofiler) \
	X(miniprofiler_storage) \
	X(valgrind) \
	X(heaptrack) \
	X(dhat) \
	X(massif) \
	X(pprof) \
	X(cpuprofile) \
	X(heapprofile) \
	X(collapsed) \
	X(perf) \
	X(callgrind)

#define FORMAT_DECLARE(name) extern const struct format format_##name;
FORMAT_TABLE(FORMAT_DECLARE)
#undef FORMAT_DECLARE

#endif
