/* The disk of the private cluster: its free space, and a reserve that makes it possible to remove
 * data from a full disk. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cluster_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
	WAL_ROOM_MIB = 32, /* two segments */
	/* A removal writes about 15 bytes per row to the write-ahead log. */
	RESERVE_MIB = 64,
	RESERVE_MIN_ROOM_MIB = 512, /* with less free space, no reserve is created */
};

static const int64_t MIB = (int64_t)1024 * 1024;

/* Returns -1 if the free space is unknown. */
static int64_t
free_mib(const struct cluster *c)
{
	struct statvfs fs;

	return statvfs(c->home, &fs) == 0 ? (int64_t)fs.f_bavail * (int64_t)fs.f_frsize / MIB : -1;
}

bool
cluster_disk_is_full(const struct cluster *c)
{
	int64_t room = free_mib(c);

	return room >= 0 && room < WAL_ROOM_MIB;
}

/* The top directory of the file system that contains the home. */
static const char *
mount_point(const struct cluster *c)
{
	char *path = realpath(c->home, NULL);
	const char *found;
	struct stat own, parent;
	char *slash;

	if (!path || stat(path, &own) != 0) {
		free(path);
		return c->home;
	}
	while ((slash = strrchr(path, '/')) && path[1]) {
		char *end = slash == path ? slash + 1 : slash;
		char first = *end;

		*end = '\0';
		if (stat(path, &parent) != 0 || parent.st_dev != own.st_dev) {
			*end = first;
			break;
		}
	}
	found = arena_strdup(c->arena, path);
	free(path);
	return found;
}

static const char *
reserve_path(const struct cluster *c)
{
	return arena_printf(c->arena, "%s/reserve", c->home);
}

bool
cluster_hint_full(const struct cluster *c, struct error *err)
{
	bool reserve = access(reserve_path(c), F_OK) == 0;

	return error_hint(err,
		"the file system at %s has %lld MiB free; the server needs at least %d MiB for its "
		"write-ahead log, and room for the data: free space%s, and run the command again",
		mount_point(c), (long long)free_mib(c), (int)WAL_ROOM_MIB,
		reserve ? ", or remove result sets with \"profdepot rm\"" : "");
}

void
cluster_keep_reserve(const struct cluster *c)
{
	const char *path = reserve_path(c);
	int fd;

	if (free_mib(c) < RESERVE_MIN_ROOM_MIB)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	if (posix_fallocate(fd, 0, RESERVE_MIB * MIB) != 0)
		unlink(path);
	close(fd);
}

bool
cluster_use_reserve(const struct cluster *c)
{
	return cluster_disk_is_full(c) && unlink(reserve_path(c)) == 0;
}
