-- Records the verdict on a budget.
INSERT INTO profdepot.budget_verdicts (inst_id, budget_no, budget, verdict, reason)
VALUES (:inst_id::bigint, :budget_no::integer, :budget, :verdict, :reason)
