# Layer http: public headers and sources, sorted.
libprofdepot_a_SOURCES += \
	include/http/http.h \
	include/http/remote.h \
	include/http/route.h \
	include/http/server.h \
	src/http/http_accept.c \
	src/http/http_access.c \
	src/http/http_answer.c \
	src/http/http_body.c \
	src/http/http_clients.c \
	src/http/http_clients.h \
	src/http/http_coding.c \
	src/http/http_coding.h \
	src/http/http_exchange.c \
	src/http/http_fields.c \
	src/http/http_head.c \
	src/http/http_head.h \
	src/http/http_length.c \
	src/http/http_listen.c \
	src/http/http_params.c \
	src/http/http_private.h \
	src/http/http_rate.c \
	src/http/http_remote.c \
	src/http/http_remote.h \
	src/http/http_remote_serve.c \
	src/http/http_route.c \
	src/http/http_server.c \
	src/http/http_worker.c
