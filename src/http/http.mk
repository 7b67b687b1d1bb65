# Layer http: public headers and sources, sorted.
libprofdepot_a_SOURCES += \
	include/http/http.h \
	include/http/route.h \
	src/http/http_accept.c \
	src/http/http_access.c \
	src/http/http_answer.c \
	src/http/http_body.c \
	src/http/http_clients.c \
	src/http/http_clients.h \
	src/http/http_exchange.c \
	src/http/http_fields.c \
	src/http/http_head.c \
	src/http/http_listen.c \
	src/http/http_log.c \
	src/http/http_params.c \
	src/http/http_parse.h \
	src/http/http_rate.c \
	src/http/http_route.c \
	src/http/http_worker.c \
	src/http/server_private.h
