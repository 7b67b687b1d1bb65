-- The ledger: everything that history depends on, in the order in which the depot learned it. Runs, findings and
-- the ledger outlive the result sets. Ledger rows are never changed or deleted, so an earlier answer can be computed
-- again from its ledger number.

CREATE TABLE profdepot.ledger (
    ledger_no bigint NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    event text COLLATE "C" NOT NULL,
    inst_id bigint,
    labels text[] COLLATE "C",
    subject text COLLATE "C",
    PRIMARY KEY (ledger_no),
    CHECK (event IN ('run', 'labels', 'application', 'stream labels', 'stream parent', 'suppression', 'review', 'alias', 'owners', 'forgotten'))
);
CREATE INDEX ledger_moves ON profdepot.ledger (event, inst_id, ledger_no) WHERE event <> 'run';
COMMENT ON TABLE profdepot.ledger IS 'what history depends on, in the order in which the depot learned it';
COMMENT ON COLUMN profdepot.ledger.ledger_no IS 'number of the event, from 1 without gaps; a value for --as-of';
COMMENT ON COLUMN profdepot.ledger.recorded_at IS 'when the event was recorded';
COMMENT ON COLUMN profdepot.ledger.event IS 'run: a load was published; labels, application: a result set''s labels or application changed; stream labels, stream parent: the definition of streams changed; suppression, review, alias, owners: one of these was added, changed or removed; forgotten: a run was removed from history';
COMMENT ON COLUMN profdepot.ledger.inst_id IS 'run, labels, application, forgotten: the result set';
COMMENT ON COLUMN profdepot.ledger.labels IS 'labels: the result set''s labels after the change, such as branch=main; stream labels: the keys; stream parent: the labels of the parent';
COMMENT ON COLUMN profdepot.ledger.subject IS 'suppression: its name; review, alias: the finding; application: the new application; forgotten: the application';

-- Loads that are committed but not yet published.
CREATE TABLE profdepot.unpublished_runs (
    inst_id bigint NOT NULL,
    PRIMARY KEY (inst_id)
);
COMMENT ON TABLE profdepot.unpublished_runs IS 'loaded result sets that are not in the ledger yet; usually empty';
COMMENT ON COLUMN profdepot.unpublished_runs.inst_id IS 'the result set';

CREATE TABLE profdepot.published_runs (
    inst_id bigint NOT NULL,
    ledger_no bigint NOT NULL,
    application text COLLATE "C" NOT NULL,
    labels text[] COLLATE "C" NOT NULL,
    position numeric NOT NULL,
    attached_to bigint,
    fold_no integer,
    run_key text COLLATE "C",
    group_key text COLLATE "C",
    version text COLLATE "C",
    commit_id text COLLATE "C",
    parent_commit_id text COLLATE "C",
    ran_at timestamptz NOT NULL,
    loaded_at timestamptz NOT NULL,
    finished boolean,
    leaks text COLLATE "C",
    errors text COLLATE "C",
    races text COLLATE "C",
    caption text COLLATE "C",
    format text COLLATE "C",
    tool text COLLATE "C",
    content_digest uuid,
    stream_labels text COLLATE "C" NOT NULL DEFAULT '',
    PRIMARY KEY (inst_id)
);
CREATE INDEX published_runs_order ON profdepot.published_runs (application, position, ledger_no);
CREATE INDEX published_runs_time ON profdepot.published_runs (application, ran_at, position);
CREATE INDEX published_runs_commit ON profdepot.published_runs (application, commit_id) WHERE commit_id IS NOT NULL;
CREATE INDEX published_runs_parent ON profdepot.published_runs (application, parent_commit_id) WHERE parent_commit_id IS NOT NULL;
CREATE INDEX published_runs_content ON profdepot.published_runs (content_digest);
CREATE INDEX published_runs_stream ON profdepot.published_runs (profdepot.stream_kind(application, stream_labels, ''), loaded_at DESC);
CREATE INDEX published_runs_hot ON profdepot.published_runs (application, ledger_no) WHERE fold_no IS NULL;
COMMENT ON TABLE profdepot.published_runs IS 'one row per published result set: what history knows about its run; the row outlives the result set';
COMMENT ON COLUMN profdepot.published_runs.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.published_runs.ledger_no IS 'ledger number at which the depot learned of the run';
COMMENT ON COLUMN profdepot.published_runs.application IS 'the profiled application; empty if not given; earlier_runs has earlier values';
COMMENT ON COLUMN profdepot.published_runs.labels IS 'labels at publication, such as branch=main; the ledger has later changes';
COMMENT ON COLUMN profdepot.published_runs.position IS 'determines the order of the application''s runs: by commit if commits are known, otherwise by start time, otherwise by load time';
COMMENT ON COLUMN profdepot.published_runs.attached_to IS 'an earlier run with the same content and run key, if this load repeats it; the repetition is not counted';
COMMENT ON COLUMN profdepot.published_runs.fold_no IS 'number of the fold that contains the run''s sightings; NULL while they are in sighting_blocks, as always for runs that earlier_runs contains; 0 if the run repeats an earlier run and has no sightings';
COMMENT ON COLUMN profdepot.published_runs.run_key IS 'key that the result sets of one execution share';
COMMENT ON COLUMN profdepot.published_runs.group_key IS 'history counts result sets with the same group key as one run; the group key is the run key; if there is no run key and the input is the log of a detector, it is the digest of the input, because such a log can contain several processes; otherwise it is NULL, and the result set is a separate run';
COMMENT ON COLUMN profdepot.published_runs.version IS 'version of the application';
COMMENT ON COLUMN profdepot.published_runs.commit_id IS 'commit that the application was built from';
COMMENT ON COLUMN profdepot.published_runs.parent_commit_id IS 'parent of that commit';
COMMENT ON COLUMN profdepot.published_runs.ran_at IS 'when the run started, or else when it was loaded';
COMMENT ON COLUMN profdepot.published_runs.loaded_at IS 'time of the load';
COMMENT ON COLUMN profdepot.published_runs.finished IS 'whether the profiler wrote its end marker; NULL if its format has no end marker';
COMMENT ON COLUMN profdepot.published_runs.leaks IS 'how thoroughly the run looked for leaks, as in coverage; NULL if unknown';
COMMENT ON COLUMN profdepot.published_runs.errors IS 'how thoroughly the run looked for errors';
COMMENT ON COLUMN profdepot.published_runs.races IS 'how thoroughly the run looked for races';
COMMENT ON COLUMN profdepot.published_runs.caption IS 'caption of the result set at publication';
COMMENT ON COLUMN profdepot.published_runs.format IS 'format of the input';
COMMENT ON COLUMN profdepot.published_runs.tool IS 'profiler that produced the result';
COMMENT ON COLUMN profdepot.published_runs.content_digest IS 'digest of the result set''s content';
COMMENT ON COLUMN profdepot.published_runs.stream_labels IS 'the current labels that, together with the application, identify the stream, as in instances';

-- When a result set moves to another application, this table keeps what published_runs contained before. At
-- ledger number N, a run has the values of its first row with a larger number, or else those of published_runs.
CREATE TABLE profdepot.earlier_runs (
    inst_id bigint NOT NULL,
    ledger_no bigint NOT NULL,
    application text COLLATE "C" NOT NULL,
    position numeric NOT NULL,
    ran_at timestamptz NOT NULL,
    attached_to bigint,
    PRIMARY KEY (inst_id, ledger_no)
);
CREATE INDEX earlier_runs_order ON profdepot.earlier_runs (ledger_no);
COMMENT ON TABLE profdepot.earlier_runs IS 'earlier values of published_runs: one row per run and change of an application that affected the run';
COMMENT ON COLUMN profdepot.earlier_runs.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.earlier_runs.ledger_no IS 'ledger number of the change; the row applies to smaller numbers, down to the run''s previous row';
COMMENT ON COLUMN profdepot.earlier_runs.application IS 'application before the change';
COMMENT ON COLUMN profdepot.earlier_runs.position IS 'position before the change';
COMMENT ON COLUMN profdepot.earlier_runs.ran_at IS 'ran_at before the change';
COMMENT ON COLUMN profdepot.earlier_runs.attached_to IS 'attached_to before the change';

-- The findings of each result set. They are stored in blocks, because with one row per finding a load would spend more
-- time on index entries than on the findings. The arrays are in the order of the columns of the view sightings.
CREATE TABLE profdepot.sighting_blocks (
    inst_id bigint NOT NULL,
    block_no integer NOT NULL,
    identities uuid[] NOT NULL,
    kinds text[] COLLATE "C" NOT NULL,
    names text[] COLLATE "C" NOT NULL,
    class_names text[] COLLATE "C" NOT NULL,
    module_names text[] COLLATE "C" NOT NULL,
    routine_classes text[] COLLATE "C" NOT NULL,
    routine_names text[] COLLATE "C" NOT NULL,
    source_files text[] COLLATE "C" NOT NULL,
    source_lines integer[] NOT NULL,
    places integer[] NOT NULL,
    counts bigint[] NOT NULL,
    sizes numeric[] NOT NULL,
    PRIMARY KEY (inst_id, block_no)
);
ALTER TABLE profdepot.sighting_blocks
    ALTER identities SET STATISTICS 0,
    ALTER kinds SET STATISTICS 0,
    ALTER names SET STATISTICS 0,
    ALTER class_names SET STATISTICS 0,
    ALTER module_names SET STATISTICS 0,
    ALTER routine_classes SET STATISTICS 0,
    ALTER routine_names SET STATISTICS 0,
    ALTER source_files SET STATISTICS 0,
    ALTER source_lines SET STATISTICS 0,
    ALTER places SET STATISTICS 0,
    ALTER counts SET STATISTICS 0,
    ALTER sizes SET STATISTICS 0;
COMMENT ON TABLE profdepot.sighting_blocks IS 'findings of result sets, at most 256 per block; the view sightings has one row per finding';
COMMENT ON COLUMN profdepot.sighting_blocks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sighting_blocks.block_no IS 'number of the block, from 1';
COMMENT ON COLUMN profdepot.sighting_blocks.identities IS 'identity of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.kinds IS 'kind of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.names IS 'the detector''s word for each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.class_names IS 'class of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.module_names IS 'module of each own frame';
COMMENT ON COLUMN profdepot.sighting_blocks.routine_classes IS 'class of each own frame''s routine';
COMMENT ON COLUMN profdepot.sighting_blocks.routine_names IS 'routine of each own frame';
COMMENT ON COLUMN profdepot.sighting_blocks.source_files IS 'source file of each own frame';
COMMENT ON COLUMN profdepot.sighting_blocks.source_lines IS 'line of each own frame; 0 if unknown';
COMMENT ON COLUMN profdepot.sighting_blocks.places IS 'number of different stacks of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.counts IS 'blocks, objects or errors of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.sizes IS 'bytes of each leak; NULL for errors, and if the size is unknown';

-- Older sightings, ordered by finding. A fold contains the sightings of 256 runs of one application. Every question
-- about history needs some columns of published_runs. The fold repeats these columns for its runs, because reading
-- them from arrays takes a quarter of the time that reading the rows takes.
CREATE TABLE profdepot.folds (
    application text COLLATE "C" NOT NULL,
    fold_no integer NOT NULL,
    inst_ids bigint[] NOT NULL,
    ledger_nos bigint[],
    positions numeric[],
    run_keys text[] COLLATE "C",
    group_keys text[] COLLATE "C",
    versions text[] COLLATE "C",
    commit_ids text[] COLLATE "C",
    tools text[] COLLATE "C",
    ran_at timestamptz[],
    labels text[] COLLATE "C",
    finished boolean[],
    leaks text[] COLLATE "C",
    errors text[] COLLATE "C",
    races text[] COLLATE "C",
    parent_commit_ids text[] COLLATE "C",
    PRIMARY KEY (application, fold_no)
);
-- The view sightings reads one element of the array per sighting. If the array was compressed, each
-- of these reads would decompress all of it.
ALTER TABLE profdepot.folds ALTER inst_ids SET STORAGE PLAIN;
COMMENT ON TABLE profdepot.folds IS 'groups of runs whose sightings are in folded_findings';
COMMENT ON COLUMN profdepot.folds.application IS 'the profiled application';
COMMENT ON COLUMN profdepot.folds.fold_no IS 'number of the fold within the application, from 1';
COMMENT ON COLUMN profdepot.folds.inst_ids IS 'the result sets; NULL if a run was removed from the fold';
COMMENT ON COLUMN profdepot.folds.ledger_nos IS 'ledger_no of each run in published_runs; NULL for a removed run; the next 13 arrays have the other columns';
COMMENT ON COLUMN profdepot.folds.positions IS 'position of each run';
COMMENT ON COLUMN profdepot.folds.run_keys IS 'run_key of each run';
COMMENT ON COLUMN profdepot.folds.group_keys IS 'group_key of each run';
COMMENT ON COLUMN profdepot.folds.versions IS 'version of each run';
COMMENT ON COLUMN profdepot.folds.commit_ids IS 'commit_id of each run';
COMMENT ON COLUMN profdepot.folds.tools IS 'tool of each run';
COMMENT ON COLUMN profdepot.folds.ran_at IS 'ran_at of each run';
COMMENT ON COLUMN profdepot.folds.labels IS 'labels of each run, separated by line feeds';
COMMENT ON COLUMN profdepot.folds.finished IS 'finished of each run';
COMMENT ON COLUMN profdepot.folds.leaks IS 'leaks of each run';
COMMENT ON COLUMN profdepot.folds.errors IS 'errors of each run';
COMMENT ON COLUMN profdepot.folds.races IS 'races of each run';
COMMENT ON COLUMN profdepot.folds.parent_commit_ids IS 'parent_commit_id of each run';

CREATE TABLE profdepot.folded_findings (
    application text COLLATE "C" NOT NULL,
    identity uuid NOT NULL,
    kind text COLLATE "C" NOT NULL,
    fold_no integer NOT NULL,
    seen bit(256) NOT NULL,
    runs smallint[] NOT NULL,
    names text[] COLLATE "C" NOT NULL,
    class_names text[] COLLATE "C" NOT NULL,
    module_names text[] COLLATE "C" NOT NULL,
    routine_classes text[] COLLATE "C" NOT NULL,
    routine_names text[] COLLATE "C" NOT NULL,
    source_files text[] COLLATE "C" NOT NULL,
    wordings smallint[] NOT NULL,
    source_lines integer[] NOT NULL,
    places integer[] NOT NULL,
    counts bigint[] NOT NULL,
    sizes numeric[] NOT NULL,
    PRIMARY KEY (application, identity, kind, fold_no)
);
ALTER TABLE profdepot.folded_findings
    ALTER seen SET STATISTICS 0,
    ALTER runs SET STATISTICS 0,
    ALTER names SET STATISTICS 0,
    ALTER class_names SET STATISTICS 0,
    ALTER module_names SET STATISTICS 0,
    ALTER routine_classes SET STATISTICS 0,
    ALTER routine_names SET STATISTICS 0,
    ALTER source_files SET STATISTICS 0,
    ALTER wordings SET STATISTICS 0,
    ALTER source_lines SET STATISTICS 0,
    ALTER places SET STATISTICS 0,
    ALTER counts SET STATISTICS 0,
    ALTER sizes SET STATISTICS 0;
COMMENT ON TABLE profdepot.folded_findings IS 'sightings of one finding in the runs of one fold; the view sightings has one row per run';
COMMENT ON COLUMN profdepot.folded_findings.application IS 'the profiled application';
COMMENT ON COLUMN profdepot.folded_findings.identity IS 'identity of the finding';
COMMENT ON COLUMN profdepot.folded_findings.kind IS 'kind of the finding';
COMMENT ON COLUMN profdepot.folded_findings.fold_no IS 'number of the fold';
COMMENT ON COLUMN profdepot.folded_findings.seen IS 'one bit for each run of the fold: bit n is 1 if the finding was seen in the run with subscript n + 1';
COMMENT ON COLUMN profdepot.folded_findings.runs IS 'the runs in which the finding was seen, as subscripts of folds.inst_ids';
COMMENT ON COLUMN profdepot.folded_findings.names IS 'the detector''s different words for the finding; this and the next 5 arrays have one element per wording';
COMMENT ON COLUMN profdepot.folded_findings.class_names IS 'class of the finding';
COMMENT ON COLUMN profdepot.folded_findings.module_names IS 'module of the own frame';
COMMENT ON COLUMN profdepot.folded_findings.routine_classes IS 'class of the own frame''s routine';
COMMENT ON COLUMN profdepot.folded_findings.routine_names IS 'routine of the own frame';
COMMENT ON COLUMN profdepot.folded_findings.source_files IS 'source file of the own frame';
COMMENT ON COLUMN profdepot.folded_findings.wordings IS 'for each of these runs, the subscript of its wording in the arrays above; empty if there is only one wording';
COMMENT ON COLUMN profdepot.folded_findings.source_lines IS 'line of the own frame in each of these runs; 0 if unknown';
COMMENT ON COLUMN profdepot.folded_findings.places IS 'number of different stacks in each of these runs';
COMMENT ON COLUMN profdepot.folded_findings.counts IS 'blocks, objects or errors in each of these runs';
COMMENT ON COLUMN profdepot.folded_findings.sizes IS 'bytes in each of these runs; NULL for errors, and if the size is unknown';

CREATE VIEW profdepot.sightings AS
SELECT b.inst_id, u.identity, u.kind, u.name, u.class_name, u.module_name, u.routine_class, u.routine_name,
       u.source_file, NULLIF(u.source_line, 0) AS source_line, u.places, u.count, u.size
FROM profdepot.sighting_blocks b
CROSS JOIN LATERAL unnest(b.identities, b.kinds, b.names, b.class_names, b.module_names, b.routine_classes,
                          b.routine_names, b.source_files, b.source_lines, b.places, b.counts, b.sizes)
    u (identity, kind, name, class_name, module_name, routine_class, routine_name, source_file, source_line,
       places, count, size)
UNION ALL
SELECT f.inst_ids[u.run], d.identity, d.kind, d.names[w.wording], d.class_names[w.wording], d.module_names[w.wording],
       d.routine_classes[w.wording], d.routine_names[w.wording], d.source_files[w.wording],
       NULLIF(u.source_line, 0), u.places, u.count, u.size
FROM profdepot.folds f
JOIN profdepot.folded_findings d ON d.application = f.application AND d.fold_no = f.fold_no
CROSS JOIN LATERAL unnest(d.runs, d.wordings, d.source_lines, d.places, d.counts, d.sizes)
    u (run, wording, source_line, places, count, size)
CROSS JOIN LATERAL (SELECT COALESCE(u.wording, 1::smallint) AS wording) w;
COMMENT ON VIEW profdepot.sightings IS 'one row per finding and result set; the rows outlive the result set';
COMMENT ON COLUMN profdepot.sightings.inst_id IS 'the result set in which the finding was seen';
COMMENT ON COLUMN profdepot.sightings.identity IS 'identity of the finding: equal for all builds and detectors, see profdepot-schema(5)';
COMMENT ON COLUMN profdepot.sightings.kind IS 'leak, access, race and so on, or "error" followed by the detector''s word';
COMMENT ON COLUMN profdepot.sightings.name IS 'the detector''s word for the finding, such as definite or InvalidRead; empty if the detector has no word for it';
COMMENT ON COLUMN profdepot.sightings.class_name IS 'class of the finding; empty if unknown';
COMMENT ON COLUMN profdepot.sightings.module_name IS 'module of the own frame; empty if unknown, like the next three columns';
COMMENT ON COLUMN profdepot.sightings.routine_class IS 'class of the own frame''s routine';
COMMENT ON COLUMN profdepot.sightings.routine_name IS 'routine of the own frame';
COMMENT ON COLUMN profdepot.sightings.source_file IS 'source file of the own frame';
COMMENT ON COLUMN profdepot.sightings.source_line IS 'line of the own frame; NULL if unknown';
COMMENT ON COLUMN profdepot.sightings.places IS 'number of different stacks of the finding in the result set';
COMMENT ON COLUMN profdepot.sightings.count IS 'blocks, objects or errors';
COMMENT ON COLUMN profdepot.sightings.size IS 'bytes; NULL for errors, and if the size is unknown';

CREATE TABLE profdepot.reviews (
    ledger_no bigint NOT NULL,
    identity uuid NOT NULL,
    status text COLLATE "C" NOT NULL,
    fixed_in text COLLATE "C",
    author text COLLATE "C",
    reason text COLLATE "C",
    ticket text COLLATE "C",
    until date,
    PRIMARY KEY (ledger_no),
    CHECK (status IN ('open', 'confirmed', 'false-positive', 'intentional', 'fixed'))
);
CREATE INDEX reviews_finding ON profdepot.reviews (identity, ledger_no);
COMMENT ON TABLE profdepot.reviews IS 'decisions about findings; for each finding, the newest one applies';
COMMENT ON COLUMN profdepot.reviews.ledger_no IS 'ledger number of the review';
COMMENT ON COLUMN profdepot.reviews.identity IS 'identity of the finding';
COMMENT ON COLUMN profdepot.reviews.status IS 'open, confirmed, false-positive, intentional or fixed';
COMMENT ON COLUMN profdepot.reviews.fixed_in IS 'fixed: the version that has the fix';
COMMENT ON COLUMN profdepot.reviews.author IS 'who decided';
COMMENT ON COLUMN profdepot.reviews.reason IS 'why';
COMMENT ON COLUMN profdepot.reviews.ticket IS 'link to the ticket';
COMMENT ON COLUMN profdepot.reviews.until IS 'last day (UTC) on which the review applies; NULL if it has no end. The review expires at the first ledger entry after that day';

CREATE TABLE profdepot.finding_aliases (
    ledger_no bigint NOT NULL,
    identity uuid NOT NULL,
    same_as uuid NOT NULL,
    author text COLLATE "C",
    reason text COLLATE "C",
    PRIMARY KEY (ledger_no)
);
COMMENT ON TABLE profdepot.finding_aliases IS 'different identities of one finding, for example because the rule for identities has changed, because frames have names only in newer runs, or because detectors write the names differently';
COMMENT ON COLUMN profdepot.finding_aliases.ledger_no IS 'ledger number of the alias';
COMMENT ON COLUMN profdepot.finding_aliases.identity IS 'the identity in sightings';
COMMENT ON COLUMN profdepot.finding_aliases.same_as IS 'the identity under which history shows the finding';
COMMENT ON COLUMN profdepot.finding_aliases.author IS 'who decided';
COMMENT ON COLUMN profdepot.finding_aliases.reason IS 'why';
