-- Which of the two roles exist, and may this login make roles?
SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'profdepot_loader')::integer,
       EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'profdepot_reader')::integer,
       (SELECT rolsuper OR rolcreaterole FROM pg_catalog.pg_roles WHERE rolname = current_user)::integer
