/*
 * The private cluster: profdepot's own PostgreSQL server, created and started when needed. It listens
 * only on a UNIX socket.
 *
 *	HOME/data	the data directory, made by initdb
 *	HOME/run	the socket; a short directory elsewhere if the path is too long
 *	HOME/log	postgresql.log and the previous one
 *	HOME/lock	held while the server is created, started or stopped
 *
 * HOME is PROFDEPOT_HOME, else /var/lib/profdepot for root, else profdepot in
 * the XDG data directory. PostgreSQL refuses to run as root: then the server
 * runs as the account that owns HOME/data, at first `postgres`.
 */
#ifndef PROFDEPOT_DB_CLUSTER_H
#define PROFDEPOT_DB_CLUSTER_H

#include "base/arena.h"
#include "base/error.h"
#include "db/connection.h"

struct cluster;

/* Where it is or would be; changes nothing. In the arena. NULL on error: an invalid HOME, or no account
 * to run the server. */
struct cluster *cluster_describe(struct arena *a, struct error *err);

/* Creates the data directory if it is missing. If interrupted, it leaves either all of it or nothing. */
bool cluster_init(struct cluster *c, struct error *err);

/* Creates it if needed, starts it if it is not running, and returns when it accepts connections.
 * Several programs may call it at once. */
bool cluster_start(struct cluster *c, struct error *err);

/* Stops the server and rolls its sessions back. Succeeds if it is not running. */
bool cluster_stop(struct cluster *c, struct error *err);

enum cluster_state {
	CLUSTER_ABSENT,  /* not created yet */
	CLUSTER_STOPPED, /* also after a crash */
	CLUSTER_RUNNING,
};

struct cluster_status {
	enum cluster_state state;
	int major;        /* PostgreSQL's, 0 when absent */
	long pid;         /* of the server; 0 if it is not running */
	const char *home; /* all borrowed from the cluster */
	const char *data;
	const char *socket; /* its directory */
	const char *log;
	const char *account; /* that the server runs as */
};

bool cluster_status(struct cluster *c, struct cluster_status *status, struct error *err);

enum cluster_uri_kind {
	CLUSTER_URI_PLAIN,  /* for other programs: unqualified names resolve in the depot */
	CLUSTER_URI_STRICT, /* for this process: no PG variable overrides it */
};

/* Lives in the cluster's arena. */
const char *cluster_uri(struct cluster *c, enum db_role role, enum cluster_uri_kind kind);

/* "stopped", "running", ... */
const char *cluster_state_name(enum cluster_state state);

#endif
