# shellcheck shell=bash
# Checks that a disturbed load was stored completely or not at all. Source this file after depot.sh.
#
#	whole_prepare		creates the function that counts rows; call it after depot_make
#	whole_take		prints the number of rows of all result sets, after every loader has ended, and
#				removes the rows

whole_prepare() {
    q "create function public.take_rows() returns bigint language plpgsql as \$\$
        declare
            relation text;
            part bigint;
            total bigint := 0;
        begin
            while exists (select from pg_stat_activity
                    where application_name like 'profdepot%' and datname = current_database() and pid <> pg_backend_pid()) loop
                perform pg_sleep(0.005);
                perform pg_stat_clear_snapshot();
            end loop;
            for relation in select c.oid::regclass::text from pg_class c
                    where c.relnamespace = 'profdepot'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
                    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'inst_id') loop
                execute 'select count(*) from ' || relation into part;
                if part > 0 then
                    execute 'delete from ' || relation;
                end if;
                -- A load is complete even if the ledger does not contain it yet. A repeated load has no sightings.
                if relation !~ '(ledger|published_runs|sighting_blocks)\$' then
                    total := total + part;
                end if;
            end loop;
            return total;
        end \$\$"
}

whole_take() {
    psql -XqAt -v ON_ERROR_STOP=1 -c 'select public.take_rows()'
}
