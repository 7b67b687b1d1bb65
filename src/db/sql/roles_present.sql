-- Returns whether each of the two roles exists, and whether this login can create roles.
SELECT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'profdepot_loader'),
       EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'profdepot_reader'),
       (SELECT rolsuper OR rolcreaterole FROM pg_catalog.pg_roles WHERE rolname = current_user)
