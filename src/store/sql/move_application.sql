-- Moves a run to the history of another application, if the history contains the run.
SELECT profdepot.ledger_move(:inst_id::bigint, :application)
