-- Removes a run from history. Returns whether history knew it.
SELECT profdepot.ledger_forget(:inst_id::bigint)
