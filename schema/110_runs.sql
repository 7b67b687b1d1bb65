-- Runs: how the program was executed, and what the profiler looked for.

CREATE TABLE profdepot.runs ( -- row: run_row digest=no
    inst_id bigint NOT NULL,
    run_key text COLLATE "C",
    started_at timestamptz, -- member=started_us
    ended_at timestamptz, -- member=ended_us
    version text COLLATE "C",
    commit_id text COLLATE "C",
    parent_commit_id text COLLATE "C",
    environment text COLLATE "C",
    finished boolean,
    PRIMARY KEY (inst_id)
);
CREATE INDEX runs_key ON profdepot.runs (run_key) WHERE run_key IS NOT NULL;
COMMENT ON TABLE profdepot.runs IS 'one row per loaded result set: the run that it comes from';
COMMENT ON COLUMN profdepot.runs.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.runs.run_key IS 'key that the result sets of one execution share, as given at load; NULL if not given';
COMMENT ON COLUMN profdepot.runs.started_at IS 'when the run started; NULL if the input does not say';
COMMENT ON COLUMN profdepot.runs.ended_at IS 'when the run ended; NULL if the input does not say';
COMMENT ON COLUMN profdepot.runs.version IS 'version of the application';
COMMENT ON COLUMN profdepot.runs.commit_id IS 'commit that the application was built from, as given at load';
COMMENT ON COLUMN profdepot.runs.parent_commit_id IS 'parent of that commit, as given at load';
COMMENT ON COLUMN profdepot.runs.environment IS 'where the program ran, such as the name of a CI job, as given at load';
COMMENT ON COLUMN profdepot.runs.finished IS 'whether the profiler wrote its end marker; NULL if its format has no end marker';

CREATE TABLE profdepot.budget_verdicts (
    inst_id bigint NOT NULL,
    budget_no integer NOT NULL,
    budget text COLLATE "C" NOT NULL,
    verdict text COLLATE "C" NOT NULL,
    reason text COLLATE "C",
    checked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (inst_id, budget_no),
    CHECK (verdict IN ('passed', 'broken', 'skipped', 'unjudged'))
);
COMMENT ON TABLE profdepot.budget_verdicts IS 'the verdicts of the newest recorded check of a result set; no row if no check was recorded';
COMMENT ON COLUMN profdepot.budget_verdicts.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.budget_verdicts.budget_no IS 'number of the budget in its file, from 1';
COMMENT ON COLUMN profdepot.budget_verdicts.budget IS 'name of the budget';
COMMENT ON COLUMN profdepot.budget_verdicts.verdict IS 'passed, broken, skipped or unjudged, as in the output of profdepot check';
COMMENT ON COLUMN profdepot.budget_verdicts.reason IS 'the worst excess of each exceeded limit, or why the budget could not be judged';
COMMENT ON COLUMN profdepot.budget_verdicts.checked_at IS 'time of the check';

CREATE TABLE profdepot.coverage ( -- row: coverage_row digest=no
    inst_id bigint NOT NULL,
    what text COLLATE "C" NOT NULL,
    degree text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    PRIMARY KEY (inst_id, what),
    CHECK (what IN ('leaks', 'errors', 'races', 'heap', 'samples', 'spans')),
    CHECK (degree IN ('none', 'partial', 'sampled', 'full'))
);
COMMENT ON TABLE profdepot.coverage IS 'what the run of a result set looked for; no row if unknown';
COMMENT ON COLUMN profdepot.coverage.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.coverage.what IS 'leaks, errors, races, heap, samples or spans';
COMMENT ON COLUMN profdepot.coverage.degree IS 'none: not looked for; partial: the search did not end; sampled: only samples were examined; full';
COMMENT ON COLUMN profdepot.coverage.source IS 'how this is known: the format, an option of the profiler, or --looked-for';
