-- An open result set. $1: number, $2: caption, $3: format, $4: host, $5: tool, $6: version.
INSERT INTO profdepot.instances (inst_id, caption, state, format, source_name, host, tool, loader_version)
VALUES ($1::bigint, $2, 'open', $3, 'posted', $4, $5, $6)
