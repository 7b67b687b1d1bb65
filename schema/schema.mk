# The schema as it is now, in load order, and the migrations.
SQL_FILES += \
	schema/000_depot.sql \
	schema/100_result_sets.sql \
	schema/200_dictionaries.sql \
	schema/300_facts.sql \
	schema/400_stacks.sql \
	schema/500_functions.sql \
	migrations/0001_initial.sql
