-- The call tree, stored to its widest nodes, and what each routine costs.

CREATE TABLE profdepot.call_tree (
    inst_id bigint NOT NULL,
    metric_no integer NOT NULL,
    rank integer NOT NULL,
    node integer NOT NULL,
    parent integer,
    depth integer NOT NULL,
    routine_id bigint,
    self numeric NOT NULL,
    cut_self numeric NOT NULL,
    total numeric NOT NULL,
    folded boolean NOT NULL DEFAULT false,
    PRIMARY KEY (inst_id, metric_no, rank)
);
COMMENT ON TABLE profdepot.call_tree IS 'calls from the outermost inwards, numbered in preorder, a tree a metric; the 65,536 widest nodes, the rest folded into their parents';
COMMENT ON COLUMN profdepot.call_tree.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.call_tree.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.call_tree.rank IS 'place by width, from 0, the root: the nodes of the first n places are a tree for every n; a width is the largest absolute total of a node and of what is below it';
COMMENT ON COLUMN profdepot.call_tree.node IS 'number of the node in preorder; 0 is the root, whose total is that of the result set';
COMMENT ON COLUMN profdepot.call_tree.parent IS 'node above, NULL for the root';
COMMENT ON COLUMN profdepot.call_tree.depth IS 'frames above it; 0 for the root';
COMMENT ON COLUMN profdepot.call_tree.routine_id IS 'routine, a REC_ID; NULL for the root and for an unknown routine';
COMMENT ON COLUMN profdepot.call_tree.self IS 'what the node itself has, and what was folded into it';
COMMENT ON COLUMN profdepot.call_tree.cut_self IS 'self when only the first 8,192 places are shown, with the totals of the calls that are then left out; behind those places: self';
COMMENT ON COLUMN profdepot.call_tree.total IS 'with all below it';
COMMENT ON COLUMN profdepot.call_tree.folded IS 'nodes below it were left out and count as its own';

CREATE TABLE profdepot.routine_totals (
    inst_id bigint NOT NULL,
    metric_no integer NOT NULL,
    routine_id bigint NOT NULL,
    self numeric NOT NULL,
    total numeric NOT NULL,
    PRIMARY KEY (inst_id, metric_no, routine_id)
);
COMMENT ON TABLE profdepot.routine_totals IS 'what each routine has itself and with all it calls; recursion counts once';
COMMENT ON COLUMN profdepot.routine_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.routine_totals.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.routine_totals.routine_id IS 'routine, a REC_ID; -1 when unknown';
COMMENT ON COLUMN profdepot.routine_totals.self IS 'what the routine itself has';
COMMENT ON COLUMN profdepot.routine_totals.total IS 'what it has with all that it calls';
