# Layer db: sources and public headers, one per line.
libprofdepot_a_SOURCES += \
	include/db/client.h \
	include/db/cluster.h \
	include/db/connection.h \
	include/db/cursor.h \
	include/db/copy.h \
	include/db/distribute.h \
	include/db/foreign_rowset.h \
	include/db/migrate.h \
	include/db/sql_array.h \
	src/db/client.c \
	src/db/cluster.c \
	src/db/cluster_account.c \
	src/db/cluster_disk.c \
	src/db/cluster_init.c \
	src/db/cluster_private.h \
	src/db/cluster_process.c \
	src/db/cluster_programs.c \
	src/db/cluster_settings.c \
	src/db/connect_again.c \
	src/db/connection.c \
	src/db/coordinator.c \
	src/db/copy.c \
	src/db/copy_out.c \
	src/db/copy_private.h \
	src/db/copy_queue.c \
	src/db/copy_send.c \
	src/db/copy_values.c \
	src/db/cursor.c \
	src/db/db_private.h \
	src/db/distribute.c \
	src/db/distribute_extension.c \
	src/db/distribute_private.h \
	src/db/distribute_servers.c \
	src/db/foreign_rowset.c \
	src/db/migrate.c \
	src/db/pooler.c \
	src/db/query.c \
	src/db/role_name.c \
	src/db/roles.c \
	src/db/sql_array.c

# This layer's SQL files, which are compiled into the program. The code refers to NAME.sql as "db/NAME".
SQL_FILES += \
	src/db/sql/become_reader.sql \
	src/db/sql/login_only_reads.sql \
	src/db/sql/miniprofiler_clients.sql \
	src/db/sql/miniprofiler_profiles.sql \
	src/db/sql/miniprofiler_timings.sql \
	src/db/sql/bootstrap.sql \
	src/db/sql/citus_comments_keep.sql \
	src/db/sql/citus_comments_restore.sql \
	src/db/sql/citus_functions.sql \
	src/db/sql/citus_nodes.sql \
	src/db/sql/citus_placed.sql \
	src/db/sql/citus_rebalance_state.sql \
	src/db/sql/citus_servers.sql \
	src/db/sql/citus_settings.sql \
	src/db/sql/citus_statistics.sql \
	src/db/sql/citus_version.sql \
	src/db/sql/citus_waits.sql \
	src/db/sql/coordinator.sql \
	src/db/sql/distribution.sql \
	src/db/sql/depot_exists.sql \
	src/db/sql/depot_status.sql \
	src/db/sql/free_connections.sql \
	src/db/sql/grants_loader.sql \
	src/db/sql/grants_reader.sql \
	src/db/sql/migration_record.sql \
	src/db/sql/migrations_applied.sql \
	src/db/sql/roles_create.sql \
	src/db/sql/roles_present.sql \
	src/db/sql/begin_long.sql \
	src/db/sql/session.sql \
	src/db/sql/session_depot.sql \
	src/db/sql/session_writer.sql
