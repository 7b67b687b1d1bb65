/*
 * generate-example: writes an AQTime Resource profiler export of an imaginary application. The same
 * options and seed give the same bytes on every machine, because the program has its own random
 * numbers and uses neither floating point nor a locale.
 *
 *   names   names of the application and of Windows; the leaks
 *   world   the dictionaries: routines, call lines, classes, distinct stacks
 *   set     the objects of a result set
 *   export  the eleven tables of a world
 *   csv     converts cells to bytes
 *   logs    the memory blocks as FastMM4 and Visual C++ report them
 */
#ifndef PROFDEPOT_EXAMPLES_GENERATE_H
#define PROFDEPOT_EXAMPLES_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum csv_format {
	CSV_PLAIN,     /* comma, LF, UTF-8; an empty cell for NULL */
	CSV_SEMICOLON, /* semicolon, CR LF, UTF-8 with BOM; an empty cell for NULL */
	CSV_SSMS,      /* tab, CR LF between rows, UTF-16LE with BOM; the word NULL for NULL */
};

enum profile {
	PROFILE_NONE,
	PROFILE_BEFORE,
	PROFILE_AFTER,
	PROFILE_BOTH, /* two result sets: before, then after */
};

struct settings {
	const char *out;
	const char *fastmm, *crt; /* paths of logs of the first result set; NULL: no log */
	enum csv_format format;
	enum profile profile;
	bool shuffled;
	uint32_t objects; /* per result set, without the objects of the leaks */
	uint32_t stacks;
	uint32_t routines;
	uint32_t errors;
	uint32_t sets;
	uint32_t depth_min;
	uint32_t depth_max;
	uint64_t seed;
};

enum {
	DEPTH_MAX = 200,
	STORY_FRAMES_MAX = 8,
	STORY_END = 255,
	THREADS = 6
};

/* --- random numbers: splitmix64 ------------------------------------------ */

struct prng {
	uint64_t state;
};

uint64_t prng_mix(uint64_t v);
uint64_t prng_next(struct prng *p);
uint32_t prng_below(struct prng *p, uint32_t limit);

/* --- names --------------------------------------------------------------- */

/* A Windows function that creates a resource. */
struct api {
	const char *dll;
	const char *name;
	const char *type;      /* the resource's class name */
	unsigned weight;       /* number of calls */
	unsigned block_bytes;  /* typical size; 0 for a handle */
	uint64_t first_handle; /* address of the first resource */
	unsigned handle_step;
};

/* A routine with fixed names. */
struct known_routine {
	const char *module;
	const char *class_name;
	const char *name;
	const char *unit;
	const char *file;
	unsigned line; /* 0: no debug information */
};

/* A leak: one stack, and its number of objects before and after. */
struct leak {
	const char *api;
	unsigned char
		frames[STORY_FRAMES_MAX]; /* known_story indexes, innermost first; then STORY_END */
	bool worker;
	unsigned before;
	unsigned after;
};

struct api_error {
	const char *dll;
	const char *function;
	int64_t code;
	int kind; /* 1 error, 2 warning */
	const char *description;
};

struct application_module {
	const char *file;
	const char *folder;
	bool cpp;
	unsigned compiler;
};

extern const struct api api_table[];
extern const size_t api_count;
extern const struct known_routine known_main[]; /* a thread's outermost frames, innermost first */
extern const size_t known_main_count;
/* Like known_main, for worker threads. Their outermost frame is taken from known_main. */
extern const struct known_routine known_worker[];
extern const size_t known_worker_count;
extern const struct known_routine known_story[];
extern const size_t known_story_count;
extern const struct leak leak_table[];
extern const size_t leak_count;
extern const struct api_error error_table[];
extern const size_t error_count;
enum {
	MODULES = 6,
	NOUNS = 56
};
extern const struct application_module module_table[MODULES];
extern const char *const noun_table[NOUNS];

/* The unit whose line numbers changed between the two exports. */
extern const char changed_unit[];
enum {
	CHANGED_LINES = 3
};

/* Class suffix and method name of an invented routine; layer is 0 (outermost) to 4. */
const char *name_suffix(unsigned layer, uint32_t n);
const char *name_method(unsigned layer, uint32_t n, bool cpp);

/* --- world --------------------------------------------------------------- */

struct routine {
	const char *module;
	const char *class_name;
	const char *name;
	const char *unit;
	const char *file;
	const char *code_type;
	uint32_t line;  /* 0 if there is no debug information, and thus no call lines */
	uint32_t lines; /* number of call lines */
	unsigned compiler;
};

struct frame {
	uint32_t routine;
	int32_t line; /* position in the routine's call lines, -1 if unknown */
	uint32_t hits;
};

struct stack {
	size_t first; /* index into world.frames; innermost frame first */
	uint32_t depth;
	uint32_t api;
	uint32_t class_index;
	bool worker;
};

struct class_row {
	const char *type;
	const char *module;
};

struct world {
	const struct settings *settings;
	struct routine *routines;
	uint32_t routine_count;
	uint32_t first_main; /* first index of each kind of routine; Windows routines start at 0 */
	uint32_t first_worker;
	uint32_t first_story;
	uint32_t first_invented;
	struct class_row *classes; /* one per pair of resource type and calling module */
	uint32_t class_count;
	struct stack *stacks; /* the stacks of the leaks, then settings.stacks other stacks */
	uint32_t stack_count;
	struct frame *frames;
	size_t frame_count;
	char *names; /* names of the invented routines */
	size_t names_size;
};

/* Returns zeroed memory. Ends the program if memory runs out. */
void *generate_alloc(size_t count, size_t size);
/* Prints "generate-example: WHAT: WHICH", with errno's text if errno is set, and exits with 2. */
_Noreturn void generate_fail(const char *what, const char *which);

/* Returns the index of the Windows routine with this name; routine_count if there is none. */
uint32_t world_find_api(const struct world *w, const char *name);

void world_build(struct world *w, const struct settings *settings);
void world_release(struct world *w);

/* --- set ----------------------------------------------------------------- */

enum {
	NO_STACK = 0x40000000, /* flag: the object's stack is empty */
};

/* A result set that is being written. */
struct result_set {
	uint32_t inst_id;
	uint32_t rotation; /* rotates routine IDs, which differ from set to set */
	bool after;
	uint32_t object_count;
	uint32_t *objects; /* each object's stack, possibly with NO_STACK */
};

void set_fill(const struct world *w, struct result_set *s, uint32_t number);
uint64_t set_routine_rec(const struct result_set *s, uint32_t routine);
uint32_t set_class_rec(const struct result_set *s, uint32_t class_index);
uint32_t set_thread_rec(const struct result_set *s, uint32_t thread);

/* Random bits for an object. They depend only on the object's position, so adding objects does not
 * change earlier objects. */
uint64_t object_bits(const struct world *w, uint32_t object);
uint32_t object_thread(const struct world *w, const struct stack *s, uint32_t object);
uint64_t object_size(const struct world *w, const struct stack *s, uint32_t object);
uint64_t object_address(const struct stack *s, uint32_t object);

/* --- csv ----------------------------------------------------------------- */

struct csv;

/* Opens DIR/TABLE.csv and writes the header; `columns` is separated by commas. */
struct csv *csv_open(
	const char *dir, const char *table, const char *columns, enum csv_format format);
void csv_int(struct csv *c, int64_t v);
void csv_uint(struct csv *c, uint64_t v);
void csv_text(struct csv *c, const char *s); /* NULL is written as the format requires */
void csv_row(struct csv *c);                 /* ends the row */
void csv_close(struct csv *c);

/* --- export -------------------------------------------------------------- */

void export_write(const struct world *w);

/* What the tables and the logs have in common. */
uint32_t export_line_shift(const struct result_set *s, const struct routine *r);
uint32_t export_thread_id(const struct result_set *s, uint32_t thread);
uint64_t export_number_step(const struct world *w, uint32_t object); /* from the previous number */

/* --- logs ---------------------------------------------------------------- */

void fastmm_write(const struct world *w, const struct result_set *s, const char *path);
void crt_write(const struct world *w, const struct result_set *s, const char *path);

#endif
