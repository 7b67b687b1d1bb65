/*
 * miniprofiler_bench json PROFILES: writes profiles of 60 steps to standard output, one per line, as .NET
 * does.
 * miniprofiler_bench insert PROFILES URI: inserts the same profiles into the tables of
 * miniprofiler_storage.sql, as the .NET provider does: one statement with parameters and one commit
 * per row.
 */
#include <inttypes.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEPS = 60,
	CLIENTS = 4,
	CALL_EVERY = 4, /* one of every CALL_EVERY steps has a call */
	ROUTES = 40,
	US = 1000,
	TEXT_BYTES = 1024,
	ID_BYTES = 64
};

struct step {
	unsigned parent, depth;
	uint64_t start_us, duration_us;
};

struct profile {
	uint64_t number;
	struct step steps[STEPS];
};

static const char *const clients[CLIENTS] = { "fetchStart", "requestStart", "responseStart",
	"domComplete" };

/* kind: 1 profile, 2 step, 3 call, 4 client timing. */
static void
put_id(char out[ID_BYTES], const struct profile *p, unsigned kind, unsigned n)
{
	uint64_t mixed = (p->number + 1) * UINT64_C(0x9e3779b97f4a7c15);

	snprintf(out, ID_BYTES, "%08x-%04x-4%03x-8%03x-%012" PRIx64, (unsigned)(mixed >> 32),
		(unsigned)(mixed & 0xffff), kind, n, p->number);
}

/* Each step has four children, one after the other. */
static void
make(struct profile *p, uint64_t number)
{
	p->number = number;
	p->steps[0] = (struct step){ 0, 0, 0, (uint64_t)(20000 + number * 7919 % 500000) };
	for (unsigned i = 1; i < STEPS; i++) {
		unsigned parent = (i - 1) / 4;
		const struct step *above = &p->steps[parent];
		uint64_t part = above->duration_us / 5;

		p->steps[i] = (struct step){ parent, above->depth + 1,
			above->start_us + (i - 1) % 4 * part, part };
	}
}

/* Custom timings of a step as JSON; "" if it has no calls. */
static void
put_calls(char out[TEXT_BYTES], const struct profile *p, unsigned i)
{
	const struct step *s = &p->steps[i];
	char id[ID_BYTES];

	out[0] = '\0';
	if (i % CALL_EVERY)
		return;
	put_id(id, p, 3, i);
	snprintf(out, TEXT_BYTES,
		"{\"sql\":[{\"Id\":\"%s\",\"CommandString\":\"select o.id, o.total, c.name from orders "
		"o join customers c on c.id = o.customer_id where o.id = %" PRIu64
		" order by o.placed desc\",\"ExecuteType\":\"Reader\",\"StackTraceSnippet\":"
		"\"Main > Handle > Load%u > Query\",\"StartMilliseconds\":%" PRIu64 ".%03u,"
		"\"DurationMilliseconds\":%" PRIu64 ".%03u,\"FirstFetchDurationMilliseconds\":0.1,"
		"\"Errored\":false}]}",
		id, p->number % 100 + i, i, s->start_us / US, (unsigned)(s->start_us % US),
		s->duration_us / 2 / US, (unsigned)(s->duration_us / 2 % US));
}

static void
/* NOLINTNEXTLINE(misc-no-recursion): STEPS bounds the recursion */
put_step(const struct profile *p, unsigned i)
{
	const struct step *s = &p->steps[i];
	unsigned first = i * 4 + 1;
	char id[ID_BYTES], calls[TEXT_BYTES];

	put_id(id, p, 2, i);
	put_calls(calls, p, i);
	printf("{\"Id\":\"%s\",\"Name\":\"Step %u of route %" PRIu64
	       "\",\"DurationMilliseconds\":%" PRIu64 ".%03u,\"StartMilliseconds\":%" PRIu64
	       ".%03u",
		id, i, p->number % ROUTES, s->duration_us / US, (unsigned)(s->duration_us % US),
		s->start_us / US, (unsigned)(s->start_us % US));
	for (unsigned c = first; c < first + 4 && c < STEPS; c++) {
		printf(c == first ? ",\"Children\":[" : ",");
		put_step(p, c);
	}
	if (first < STEPS)
		putchar(']');
	if (calls[0])
		printf(",\"CustomTimings\":%s", calls);
	putchar('}');
}

static void
put_profile(const struct profile *p)
{
	char id[ID_BYTES];
	uint64_t tenths = p->steps[0].duration_us / 100;

	put_id(id, p, 1, 0);
	printf("{\"Id\":\"%s\",\"Name\":\"/route/%" PRIu64
	       "\",\"Started\":\"2026-11-%02uT%02u:%02u:%02u.125Z\","
	       "\"DurationMilliseconds\":%" PRIu64 ".%" PRIu64
	       ",\"MachineName\":\"web%u\",\"Root\":",
		id, p->number % ROUTES, (unsigned)(1 + p->number / 86400 % 28),
		(unsigned)(p->number / 3600 % 24), (unsigned)(p->number / 60 % 60),
		(unsigned)(p->number % 60), tenths / 10, tenths % 10, (unsigned)(p->number % 4));
	put_step(p, 0);
	printf(",\"ClientTimings\":{\"RedirectCount\":0,\"Timings\":[");
	for (unsigned i = 0; i < CLIENTS; i++)
		printf("%s{\"Name\":\"%s\",\"Start\":%u.0,\"Duration\":%u.0}", i ? "," : "",
			clients[i], i * 100, i * 10);
	printf("]},\"User\":\"user%u\",\"HasUserViewed\":false}\n", (unsigned)(p->number % 20));
}

static void
run(PGconn *c, const char *sql, int count, const char *const *values)
{
	PGresult *r = PQexecParams(c, sql, count, NULL, values, NULL, NULL, 0);

	if (PQresultStatus(r) != PGRES_COMMAND_OK) {
		fprintf(stderr, "miniprofiler_bench: %s", PQerrorMessage(c));
		exit(1);
	}
	PQclear(r);
}

static void
insert_profile(PGconn *c, const struct profile *p)
{
	static const char sql[] =
		"INSERT INTO miniprofilers (id, name, started, durationmilliseconds, \"User\", roottimingid, "
		"hasuserviewed, machinename, customlinksjson, clienttimingsredirectcount) SELECT "
		"$1::uuid, $2, $3::timestamp, $4::numeric, $5, $6::uuid, $7::boolean, $8, $9, "
		"$10::integer WHERE NOT EXISTS (SELECT 1 FROM miniprofilers WHERE id = $1::uuid)";
	char id[ID_BYTES], root[ID_BYTES], name[TEXT_BYTES], started[TEXT_BYTES], user[TEXT_BYTES],
		duration[TEXT_BYTES], machine[TEXT_BYTES];
	const char *const values[] = { id, name, started, duration, user, root, "false", machine,
		NULL, "0" };

	put_id(id, p, 1, 0);
	put_id(root, p, 2, 0);
	snprintf(name, sizeof(name), "/route/%" PRIu64, p->number % ROUTES);
	snprintf(started, sizeof(started), "2026-11-%02u %02u:%02u:%02u.125",
		(unsigned)(1 + p->number / 86400 % 28), (unsigned)(p->number / 3600 % 24),
		(unsigned)(p->number / 60 % 60), (unsigned)(p->number % 60));
	snprintf(duration, sizeof(duration), "%" PRIu64 ".%" PRIu64,
		p->steps[0].duration_us / 100 / 10, p->steps[0].duration_us / 100 % 10);
	snprintf(user, sizeof(user), "user%u", (unsigned)(p->number % 20));
	snprintf(machine, sizeof(machine), "web%u", (unsigned)(p->number % 4));
	run(c, sql, 10, values);
}

static void
insert_step(PGconn *c, const struct profile *p, unsigned i)
{
	static const char sql[] =
		"INSERT INTO miniprofilertimings (id, miniprofilerid, parenttimingid, name, "
		"durationmilliseconds, startmilliseconds, isroot, depth, customtimingsjson) SELECT "
		"$1::uuid, $2::uuid, $3::uuid, $4, $5::numeric, $6::numeric, $7::boolean, $8::smallint, $9 "
		"WHERE NOT EXISTS (SELECT 1 FROM miniprofilertimings WHERE id = $1::uuid)";
	const struct step *s = &p->steps[i];
	char id[ID_BYTES], profile[ID_BYTES], parent[ID_BYTES], name[TEXT_BYTES],
		duration[TEXT_BYTES], start[TEXT_BYTES], depth[TEXT_BYTES], calls[TEXT_BYTES];
	const char *const values[] = { id, profile,
		i ? parent : "00000000-0000-0000-0000-000000000000", name, duration, start,
		i ? "false" : "true", depth, i % CALL_EVERY ? NULL : calls };

	put_id(id, p, 2, i);
	put_id(profile, p, 1, 0);
	put_id(parent, p, 2, s->parent);
	put_calls(calls, p, i);
	snprintf(name, sizeof(name), "Step %u of route %" PRIu64, i, p->number % ROUTES);
	snprintf(duration, sizeof(duration), "%" PRIu64 ".%03u", s->duration_us / US,
		(unsigned)(s->duration_us % US));
	snprintf(start, sizeof(start), "%" PRIu64 ".%03u", s->start_us / US,
		(unsigned)(s->start_us % US));
	snprintf(depth, sizeof(depth), "%u", s->depth);
	run(c, sql, 9, values);
}

static void
insert_client(PGconn *c, const struct profile *p, unsigned i)
{
	static const char sql[] =
		"INSERT INTO miniprofilerclienttimings (id, miniprofilerid, name, start, duration) SELECT "
		"$1::uuid, $2::uuid, $3, $4::numeric, $5::numeric "
		"WHERE NOT EXISTS (SELECT 1 FROM miniprofilerclienttimings WHERE id = $1::uuid)";
	char id[ID_BYTES], profile[ID_BYTES], start[TEXT_BYTES], duration[TEXT_BYTES];
	const char *const values[] = { id, profile, clients[i], start, duration };

	put_id(id, p, 4, i);
	put_id(profile, p, 1, 0);
	snprintf(start, sizeof(start), "%u.0", i * 100);
	snprintf(duration, sizeof(duration), "%u.0", i * 10);
	run(c, sql, 5, values);
}

static void
insert(PGconn *c, const struct profile *p)
{
	insert_profile(c, p);
	for (unsigned i = 0; i < STEPS; i++)
		insert_step(c, p, i);
	for (unsigned i = 0; i < CLIENTS; i++)
		insert_client(c, p, i);
}

int
main(int argc, char **argv)
{
	uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	PGconn *c = argc > 3 ? PQconnectdb(argv[3]) : NULL;
	struct profile p;

	if (!count || (strcmp(argv[1], "insert") == 0) != (c != NULL)) {
		fprintf(stderr, "usage: miniprofiler_bench json PROFILES | insert PROFILES URI\n");
		return 2;
	}
	if (c && PQstatus(c) != CONNECTION_OK) {
		fprintf(stderr, "miniprofiler_bench: %s", PQerrorMessage(c));
		return 1;
	}
	for (uint64_t i = 0; i < count; i++) {
		make(&p, i);
		if (c)
			insert(c, &p);
		else
			put_profile(&p);
	}
	PQfinish(c);
	return fflush(stdout) == 0 ? 0 : 1;
}
