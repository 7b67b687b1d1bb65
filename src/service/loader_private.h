/* Shared by loader.c (the service's side), loader_process.c (the other processes) and
 * loader_request.c (a request as bytes). */
#ifndef PROFDEPOT_SERVICE_LOADER_PRIVATE_H
#define PROFDEPOT_SERVICE_LOADER_PRIVATE_H

#include "loader.h"

#include <sys/types.h>

/* The file descriptors of a load. The service sends them to the process that starts the loads. */
enum {
	LOADER_UPLOAD,
	LOADER_REQUEST,      /* a file with the bytes of the request */
	LOADER_CONVERSATION, /* a socket for frames to the service; end of file cancels the load */
	LOADER_FDS
};

enum loader_kind {
	LOADER_PROGRESS,
	LOADER_DONE,   /* followed by json_bytes bytes */
	LOADER_FAILED, /* followed by a struct error */
	LOADER_ENDED,  /* the last frame */
};

/* All processes run the same program, so a frame has the same layout in each. */
struct loader_frame {
	enum loader_kind kind;
	bool loaded;
	int status; /* for LOADER_ENDED: the status of the load's process, as from wait(2) */
	int64_t done_bytes, all_bytes, rows, inst_id;
	size_t json_bytes;
};

/* Writes the request to a new file. Returns its descriptor, which the caller must close, or -1 on error. */
int loader_request_write(const struct import_request *r, struct error *err);
/* Reads a request. Allocates its texts in the arena. */
bool loader_request_read(int fd, struct arena *a, struct import_request *r, struct error *err);

/* Starts a process for each message on the socket, until the other end of the socket is closed. */
_Noreturn void loader_process(int control, const char *uri);

#endif
