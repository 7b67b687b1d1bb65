# Only main() is outside the library, so that tests can link every command.
profdepot_SOURCES += \
	src/cmd/main.c

libprofdepot_a_SOURCES += \
	include/cmd/command.h \
	include/cmd/commands.h \
	src/cmd/commands.c \
	src/cmd/db.c
