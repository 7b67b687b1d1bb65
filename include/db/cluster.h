/*
 * The private cluster: a PostgreSQL server of profdepot's own, reached by a
 * UNIX socket only, made and started when needed.
 *
 *	HOME/data	the data directory, made by initdb
 *	HOME/run	the socket; a short directory elsewhere when the path is too long
 *	HOME/log	postgresql.log and the one before it
 *	HOME/lock	taken while the server is made, started or stopped
 *
 * HOME is PROFDEPOT_HOME, else /var/lib/profdepot for root, else profdepot in
 * the XDG data directory. PostgreSQL refuses to run as root: there the server
 * runs as the account that owns HOME/data, which at first is `postgres`.
 */
#ifndef PROFDEPOT_DB_CLUSTER_H
#define PROFDEPOT_DB_CLUSTER_H

#include "base/arena.h"
#include "base/error.h"
#include "db/connection.h"

struct cluster;

/* Where it is or would be; touches nothing. Lives in the arena. NULL on error:
 * a HOME that cannot be one, or no account to run the server as. */
struct cluster *cluster_describe(struct arena *a, struct error *err);

/* Makes the data directory when there is none; complete or not there at all,
 * whenever it is interrupted. */
bool cluster_init(struct cluster *c, struct error *err);

/* Makes it when needed and starts it when it does not run; returns when it
 * takes connections. Safe to call by several programs at once. */
bool cluster_start(struct cluster *c, struct error *err);

/* Ends the server, its sessions are rolled back. Nothing to do is no error. */
bool cluster_stop(struct cluster *c, struct error *err);

enum cluster_state {
	CLUSTER_ABSENT,  /* nothing was made yet */
	CLUSTER_STOPPED, /* also after a crash */
	CLUSTER_RUNNING,
};

struct cluster_status {
	enum cluster_state state;
	int major;        /* PostgreSQL's, 0 when absent */
	long pid;         /* of the server, 0 when it does not run */
	const char *home; /* all borrowed from the cluster */
	const char *data;
	const char *socket; /* its directory */
	const char *log;
	const char *account; /* that the server runs as */
};

bool cluster_status(struct cluster *c, struct cluster_status *status, struct error *err);

enum cluster_uri_kind {
	CLUSTER_URI_PLAIN,  /* for others: unqualified names resolve in the depot */
	CLUSTER_URI_STRICT, /* for this process: no PG variable leads elsewhere */
};

/* Lives in the cluster's arena. */
const char *cluster_uri(struct cluster *c, enum db_role role, enum cluster_uri_kind kind);

/* "stopped", "running", ... */
const char *cluster_state_name(enum cluster_state state);

#endif
