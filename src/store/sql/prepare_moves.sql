-- Prepares the moves of runs to the history of another application (move_application).
SELECT profdepot.ledger_prepare_moves(:inst_ids::bigint[], :application)
