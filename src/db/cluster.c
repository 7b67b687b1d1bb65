/* The private cluster: its directories, its lock, its creation, start and stop. */
#include "base/clock.h"
#include "base/hash.h"
#include "cluster_private.h"
#include "db_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	LOCK_WAIT_MS = 330000,
	LOCK_STEP_MS = 50
};

/* --- the cluster's location ------------------------------------------------------------------ */

const char *
db_environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static const char *
choose_home(struct arena *a)
{
	const char *home = db_environment("PROFDEPOT_HOME");

	if (home)
		return home;
	if (geteuid() == 0)
		return "/var/lib/profdepot";
	home = db_environment("XDG_DATA_HOME");
	if (home && home[0] == '/') /* ignore relative paths, as the XDG specification demands */
		return arena_printf(a, "%s/profdepot", home);
	home = db_environment("HOME");
	return home ? arena_printf(a, "%s/.local/share/profdepot", home) : NULL;
}

static bool
find_home(struct cluster *c, struct error *err)
{
	const char *home = choose_home(c->arena);
	char here[4096];
	size_t n;
	char *copy;

	if (!home) {
		error_set(err, ERROR_USAGE, "there is no home for the private cluster");
		return error_hint(err, "set PROFDEPOT_HOME, or HOME");
	}
	if (strpbrk(home, "\n\r"))
		return error_set(err, ERROR_USAGE,
			"the path of the private cluster's home must not contain a line break");
	if (home[0] != '/') {
		if (!getcwd(here, sizeof(here)))
			return error_set_errno(
				err, ERROR_FILE, "cannot find the current directory");
		home = arena_printf(c->arena, "%s/%s", here, home);
	}
	copy = arena_strdup(c->arena, home);
	for (n = strlen(copy); n > 1 && copy[n - 1] == '/'; n--)
		copy[n - 1] = '\0';
	c->home = copy;
	return true;
}

/* Finds the server's account: the owner of HOME/data, or the account that may create HOME/data. */
static bool
find_account(struct cluster *c, struct error *err)
{
	struct stat st;
	uid_t self = geteuid();

	if (stat(c->data, &st) != 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			return error_set_errno(
				err, ERROR_FILE, "cannot read the attributes of %s", c->data);
		if (self == 0)
			return account_find_name(&c->account, c->arena, "postgres", err);
		return account_find(&c->account, c->arena, self, err);
	}
	if (!account_find(&c->account, c->arena, st.st_uid, err))
		return false;
	if (st.st_uid == 0) {
		error_set(err, ERROR_DATABASE, "%s belongs to root", c->data);
		return error_hint(err,
			"PostgreSQL refuses to run as root: make the account postgres the owner "
			"of the directory and its content");
	}
	if (self != 0 && st.st_uid != self) {
		error_set(err, ERROR_DATABASE, "the private cluster in %s belongs to %s", c->home,
			c->account.name);
		return error_hint(err,
			"run profdepot as %s or as root, or set PROFDEPOT_HOME to a directory of your "
			"own",
			c->account.name);
	}
	return true;
}

/* Finds a folder for the socket. The socket's path can have at most 107 bytes, and no comma,
 * because libpq would split it there. */
static void
find_run(struct cluster *c)
{
	struct sha256 *digest;
	uint8_t bytes[SHA256_BYTES];
	char hex[17];
	const char *runtime = db_environment("XDG_RUNTIME_DIR");

	c->run = arena_printf(c->arena, "%s/run", c->home);
	if (strlen(c->run) <= CLUSTER_RUN_MAX_BYTES && !strchr(c->run, ','))
		return;
	digest = sha256_new();
	sha256_update(digest, c->data, strlen(c->data));
	sha256_finish(digest, bytes);
	sha256_free(digest);
	hex_format(bytes, 8, hex);
	c->run_is_elsewhere = true;
	if (geteuid() == 0 && access("/run", W_OK) == 0)
		c->run = arena_printf(c->arena, "/run/profdepot-%s", hex);
	else if (geteuid() != 0 && runtime && runtime[0] == '/' && !strchr(runtime, ',') &&
		 strlen(runtime) < 60 && access(runtime, W_OK) == 0)
		c->run = arena_printf(c->arena, "%s/profdepot-%s", runtime, hex);
	else
		c->run = arena_printf(c->arena, "/tmp/profdepot-%ld-%s", (long)c->account.uid, hex);
}

struct cluster *
cluster_describe(struct arena *a, struct error *err)
{
	struct cluster *c = arena_alloc(a, sizeof(*c));

	c->arena = a;
	if (!find_home(c, err))
		return NULL;
	c->data = arena_printf(a, "%s/data", c->home);
	c->log_dir = arena_printf(a, "%s/log", c->home);
	c->log = arena_printf(a, "%s/postgresql.log", c->log_dir);
	c->lock = arena_printf(a, "%s/lock", c->home);
	if (!find_account(c, err))
		return NULL;
	find_run(c);
	return c;
}

/* --- directories ----------------------------------------------------------------------------- */

/* Works like mkdir -p, but ensures that the server's account can enter the new directories,
 * whatever the umask is. Existing directories are not changed. */
static bool
make_home(const struct cluster *c, struct error *err)
{
	char *path = arena_strdup(c->arena, c->home);
	mode_t mode = c->account.is_other ? 0755 : 0700;

	for (char *s = path + 1;; s++) {
		char old = *s;

		if (old != '/' && old != '\0')
			continue;
		*s = '\0';
		if (mkdir(path, mode) == 0)
			chmod(path, mode);
		else if (errno != EEXIST)
			break;
		*s = old;
		if (old == '\0')
			return true;
	}
	error_set_errno(err, ERROR_FILE, "cannot make the private cluster's home %s", path);
	return error_hint(err, "set PROFDEPOT_HOME to a directory that you can write to");
}

/* Runs in a child process as the server's account. Prints the first directory that the account
 * cannot enter. */
static int
find_closed(void *self)
{
	char path[4096];
	size_t n = strlen(self);

	if (n >= sizeof(path))
		return 1;
	memcpy(path, self, n + 1);
	for (size_t i = 1; i <= n; i++) {
		char old = path[i];

		if (old != '/' && old != '\0')
			continue;
		path[i] = '\0';
		if (access(path, X_OK) != 0) {
			dprintf(1, "%s", path);
			return 1;
		}
		path[i] = old;
	}
	return 0;
}

static bool
check_enterable(const struct cluster *c, struct error *err)
{
	char *home = arena_strdup(c->arena, c->home);
	struct child child;

	if (!c->account.is_other)
		return true;
	if (!account_run(&c->account, c->arena, find_closed, home, &child, err))
		return false;
	if (child.status == 0)
		return true;
	error_set(err, ERROR_FILE,
		"the account %s, which must run the private cluster, cannot enter %s",
		c->account.name, child.output);
	return error_hint(err, "chmod o+x it, or set PROFDEPOT_HOME to another directory");
}

/* Makes a directory that only the account can write to, so nobody else can put a socket there. */
static bool
make_account_directory(const struct cluster *c, const char *path, struct error *err)
{
	struct stat st;

	if (mkdir(path, 0700) == 0) {
		if (c->account.is_other && lchown(path, c->account.uid, c->account.gid) != 0)
			return error_set_errno(err, ERROR_FILE, "cannot make %s the owner of %s",
				c->account.name, path);
		return true;
	}
	if (errno != EEXIST)
		return error_set_errno(err, ERROR_FILE, "cannot make the directory %s", path);
	if (lstat(path, &st) != 0)
		return error_set_errno(err, ERROR_FILE, "cannot read the attributes of %s", path);
	if (S_ISDIR(st.st_mode) && st.st_uid == c->account.uid && (st.st_mode & 022) == 0)
		return true;
	error_set(err, ERROR_FILE,
		"%s must be a directory that belongs to %s and that nobody else can write to", path,
		c->account.name);
	return error_hint(err, "move it away: profdepot creates a new one");
}

static bool
make_directories(const struct cluster *c, struct error *err)
{
	return check_enterable(c, err) && make_account_directory(c, c->run, err) &&
	       make_account_directory(c, c->log_dir, err);
}

/* --- the lock -------------------------------------------------------------------------------- */

/* Returns -1 on error. Uses O_CLOEXEC, because the server must not inherit the lock. */
static int
take_lock(const struct cluster *c, struct error *err)
{
	int fd = open(c->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);

	if (fd < 0 && (errno == EACCES || errno == EROFS))
		fd = open(c->lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0) {
		error_set_errno(err, ERROR_FILE, "cannot lock %s", c->lock);
		return -1;
	}
	for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; waited += LOCK_STEP_MS) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || waited >= LOCK_WAIT_MS) {
			error_set_errno(err, ERROR_FILE, "cannot lock %s", c->lock);
			close(fd);
			return -1;
		}
		clock_sleep_ms(LOCK_STEP_MS);
	}
	return fd;
}

static bool
check_major(const struct cluster *c, int major, struct error *err)
{
	if (major < 0) {
		error_set(err, ERROR_DATABASE, "%s is not a PostgreSQL data directory", c->data);
		return error_hint(err, "move it away, or set PROFDEPOT_HOME to another directory");
	}
	if (major >= CLUSTER_MIN_MAJOR)
		return true;
	error_set(err, ERROR_DATABASE, "the private cluster in %s was created by PostgreSQL %d",
		c->home, major);
	return error_hint(err, "profdepot needs 15 or newer: upgrade it with pg_upgrade, or set "
			       "PROFDEPOT_HOME to another directory");
}

static bool
find_programs(const struct cluster *c, struct server_programs *p, struct error *err)
{
	int major = init_major(c);

	if (!check_major(c, major, err))
		return false;
	if (programs_find(p, c->arena, major, err))
		return true;
	error_set(err, ERROR_DATABASE,
		"the private cluster in %s was created by PostgreSQL %d, but only these versions are installed: %s",
		c->home, major, programs_list(c->arena));
	return error_hint(err,
		"install PostgreSQL %d, upgrade the cluster with pg_upgrade, or set PROFDEPOT_HOME to "
		"another directory",
		major);
}

/* --- the settings for this start ------------------------------------------------------------- */

/* Writes the settings, in a child process that runs as the account. */
static int
refresh_settings(void *self)
{
	const struct cluster *c = self;

	return settings_refresh(c, c->data) ? 0 : 1;
}

static bool
write_settings(struct cluster *c, struct error *err)
{
	struct child child;

	if (!account_run(&c->account, c->arena, refresh_settings, c, &child, err))
		return false;
	if (child.status == 0)
		return true;
	error_set(err, ERROR_DATABASE, "cannot write the private cluster's settings: %.*s",
		(int)strcspn(child.output, "\n"), child.output);
	return cluster_disk_is_full(c) ? cluster_hint_full(c, err) : false;
}

/* --- start and stop -------------------------------------------------------------------------- */

static bool
init_locked(struct cluster *c, struct error *err)
{
	int major = init_major(c);

	/* Even a complete cluster can have leftovers, because initdb can continue for a while after
	 * the process that started it was killed. */
	init_remove_leftovers(c);
	if (major != 0)
		return check_major(c, major, err);
	return init_cluster(c, err);
}

static bool
start_locked(struct cluster *c, struct error *err)
{
	struct server_programs programs;
	struct server_process p;

	process_find(c, &p);
	if (p.pid && p.ready)
		return true;
	if (!init_locked(c, err) || !find_programs(c, &programs, err))
		return false;
	if (!write_settings(c, err) || !process_start(c, &programs, err))
		return false;
	cluster_keep_reserve(c);
	return true;
}

static bool
with_lock(struct cluster *c, bool (*verb)(struct cluster *c, struct error *err), struct error *err)
{
	int lock = take_lock(c, err);
	bool ok;

	if (lock < 0)
		return false;
	ok = make_directories(c, err) && verb(c, err);
	close(lock);
	return ok;
}

bool
cluster_start(struct cluster *c, struct error *err)
{
	struct server_process p;

	process_find(c, &p);
	if (p.pid && p.ready)
		return true;
	return make_home(c, err) && with_lock(c, start_locked, err);
}

static bool
stop_locked(struct cluster *c, struct error *err)
{
	if (!process_stop(c, err))
		return false;
	if (c->run_is_elsewhere)
		rmdir(c->run);
	return true;
}

bool
cluster_stop(struct cluster *c, struct error *err)
{
	struct server_process p;

	process_find(c, &p);
	return !p.pid || with_lock(c, stop_locked, err);
}

bool
cluster_status(struct cluster *c, struct cluster_status *status, struct error *err)
{
	struct server_process p;
	int major = init_major(c);

	if (major < 0)
		return check_major(c, major, err);
	process_find(c, &p);
	*status = (struct cluster_status){
		.state = major == 0 ? CLUSTER_ABSENT
			 : p.pid    ? CLUSTER_RUNNING
				    : CLUSTER_STOPPED,
		.major = major,
		.pid = p.pid,
		.home = c->home,
		.data = c->data,
		.socket = p.run,
		.log = c->log,
		.account = c->account.name,
	};
	return true;
}

const char *
cluster_state_name(enum cluster_state state)
{
	static const char *const names[] = { "absent", "stopped", "running" };

	return names[state];
}

/* --- the URI --------------------------------------------------------------------------------- */

void
uri_append_encoded(struct strbuf *out, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_.~/";

	for (; *s; s++) {
		if (strchr(plain, *s))
			strbuf_append_char(out, *s);
		else
			strbuf_printf(out, "%%%02X", (unsigned)(unsigned char)*s);
	}
}

/* An empty hostaddr makes libpq ignore PGHOSTADDR. Other drivers do not accept hostaddr, so it is
 * used only if needed. */
const char *
cluster_uri(struct cluster *c, enum db_role role, enum cluster_uri_kind kind)
{
	struct server_process p;
	struct strbuf uri;
	const char *result;
	bool strict = kind == CLUSTER_URI_STRICT;

	process_find(c, &p);
	strbuf_init(&uri, CLUSTER_OUTPUT_MAX_BYTES);
	strbuf_printf(&uri, "postgresql://%s@/profdepot?host=", db_role_name(role));
	uri_append_encoded(&uri, p.run);
	strbuf_printf(&uri, "&port=%d", CLUSTER_PORT);
	if (strict || db_environment("PGHOSTADDR"))
		strbuf_append_str(&uri, "&hostaddr=");
	if (strict || c->run_is_elsewhere) {
		strbuf_append_str(&uri, "&requirepeer=");
		uri_append_encoded(&uri, c->account.name);
	}
	if (strict)
		strbuf_append_str(&uri,
			"&sslmode=disable&gssencmode=disable&channel_binding=disable"
			"&target_session_attrs=any&client_encoding=UTF8");
	strbuf_append_str(&uri, "&options=-csearch_path%3Dprofdepot");
	result = arena_strdup(c->arena, strbuf_str(&uri));
	strbuf_release(&uri);
	return result;
}
