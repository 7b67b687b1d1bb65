-- Creates an open result set.
INSERT INTO profdepot.instances (inst_id, caption, state, format, source_name, host, tool, loader_version)
VALUES (:inst_id::bigint, :caption, 'open', :format, 'posted', :host, :tool, :version)
