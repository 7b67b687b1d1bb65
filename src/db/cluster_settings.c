/* Writes the private cluster's configuration files. */
#include "cluster_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const int64_t MIB = (int64_t)1024 * 1024;

static int64_t
clamp(int64_t v, int64_t low, int64_t high)
{
	return v < low ? low : v > high ? high : v;
}

/* The size of the machine's memory, or the container's memory limit if that is smaller. */
static int64_t
memory_bytes(void)
{
	int64_t bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	FILE *f = fopen("/sys/fs/cgroup/memory.max", "re");
	char line[64];

	if (f && fgets(line, sizeof(line), f)) {
		long long limit = strtoll(line, NULL, 10); /* "max" gives 0 */

		if (limit > 0 && limit < bytes)
			bytes = limit;
	}
	if (f)
		fclose(f);
	return clamp(bytes, 256 * MIB, INT64_MAX);
}

/* Returns whether /dev/shm is too small for the memory that parallel queries share. In a
 * container it has only 64 MiB by default. */
static bool
shm_is_small(void)
{
	struct statvfs fs;

	return statvfs("/dev/shm", &fs) != 0 ||
	       (int64_t)fs.f_bavail * (int64_t)fs.f_frsize < 256 * MIB;
}

static void
append_mib(struct strbuf *out, const char *name, int64_t bytes)
{
	strbuf_printf(out, "%s = %lldMB\n", name, (long long)(bytes / MIB));
}

/* Appends unix_socket_directories. The value is a quoted list with one item: the path in double
 * quotes. */
static void
append_directory(struct strbuf *out, const char *path)
{
	strbuf_append_str(out, "unix_socket_directories = '\"");
	for (const char *s = path; *s; s++) {
		if (*s == '\'' || *s == '"' || *s == '\\')
			strbuf_append_char(out, *s);
		strbuf_append_char(out, *s);
	}
	strbuf_append_str(out, "\"'\n");
}

/* Appends the text of profdepot.conf, which depends on `run` and on this machine's memory. */
static void
append_settings(const struct cluster *c, struct strbuf *out)
{
	int64_t memory = memory_bytes();

	strbuf_append_str(out,
		"# profdepot writes this file whenever it starts the server. Put your own\n"
		"# settings into postgresql.conf, after the line that includes this file.\n"
		"listen_addresses = ''\n");
	strbuf_printf(out, "port = %d\n", CLUSTER_PORT);
	append_directory(out, c->run);
	strbuf_append_str(out, "max_connections = 50\n");
	append_mib(out, "shared_buffers", clamp(memory / 4, 128 * MIB, 1024 * MIB));
	append_mib(out, "effective_cache_size", clamp(memory / 2, 256 * MIB, memory));
	append_mib(out, "maintenance_work_mem", clamp(memory / 16, 64 * MIB, 512 * MIB));
	append_mib(out, "work_mem", clamp(memory / 64, 16 * MIB, 128 * MIB));
	if (shm_is_small())
		strbuf_append_str(out, "dynamic_shared_memory_type = mmap\n");
	strbuf_append_str(out, "max_wal_size = 4GB\n"
			       "min_wal_size = 512MB\n"
			       "checkpoint_timeout = 15min\n"
			       "wal_compression = on\n"
			       "fsync = on\n"
			       "jit = off\n"
			       "log_checkpoints = off\n");
}

static void
append_hba(const struct cluster *c, struct strbuf *out)
{
	(void)c;
	strbuf_append_str(out, "# Only socket connections; pg_ident.conf maps accounts to roles.\n"
			       "local all all peer map=profdepot\n"
			       "# For pg_basebackup.\n"
			       "local replication profdepot peer map=profdepot\n");
}

static void
append_map(struct strbuf *out, const char *account)
{
	for (int role = DB_ROLE_OWNER; role <= DB_ROLE_READER; role++)
		strbuf_printf(
			out, "profdepot \"%s\" %s\n", account, db_role_name((enum db_role)role));
}

static void
append_ident(const struct cluster *c, struct strbuf *out)
{
	strbuf_append_str(out, "# map, account, role\n");
	append_map(out, c->account.name);
	if (strcmp(c->account.name, "root") != 0)
		append_map(out, "root");
}

static bool
write_all(int fd, const struct strbuf *content)
{
	for (size_t done = 0; done < content->size;) {
		ssize_t n = write(fd, content->data + done, content->size - done);

		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return fsync(fd) == 0;
}

bool
settings_replace(const char *path, const struct strbuf *content)
{
	struct strbuf beside;
	int fd;
	bool ok;

	strbuf_init(&beside, CLUSTER_OUTPUT_MAX_BYTES);
	strbuf_printf(&beside, "%s.new", path);
	fd = open(strbuf_str(&beside), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ok = fd >= 0 && write_all(fd, content);
	if (fd >= 0)
		ok = close(fd) == 0 && ok;
	ok = ok && rename(strbuf_str(&beside), path) == 0;
	if (!ok)
		dprintf(2, "error: cannot write %s: %s\n", path, strerror(errno));
	strbuf_release(&beside);
	return ok;
}

static bool
write_file(const struct cluster *c, const char *dir, const char *name,
	void (*append)(const struct cluster *c, struct strbuf *out))
{
	struct strbuf text;
	bool ok;

	strbuf_init(&text, CLUSTER_OUTPUT_MAX_BYTES);
	append(c, &text);
	ok = settings_replace(arena_printf(c->arena, "%s/%s", dir, name), &text);
	strbuf_release(&text);
	return ok;
}

bool
settings_refresh(const struct cluster *c, const char *dir)
{
	return write_file(c, dir, "profdepot.conf", append_settings);
}

bool
settings_create(const struct cluster *c, const char *dir)
{
	return settings_refresh(c, dir) && write_file(c, dir, "pg_hba.conf", append_hba) &&
	       write_file(c, dir, "pg_ident.conf", append_ident);
}
