-- The call tree, stored to its widest nodes, and what each routine costs.

-- In blocks of arrays: to enter each node into an index costs a load more than to store it.
CREATE TABLE profdepot.call_tree_blocks (
    inst_id bigint NOT NULL,
    metric_no integer NOT NULL,
    first_rank integer NOT NULL,
    nodes integer[] NOT NULL,
    parents integer[] NOT NULL,
    depths integer[] NOT NULL,
    routine_ids bigint[] NOT NULL,
    selfs numeric[] NOT NULL,
    cut_selfs numeric[],
    totals numeric[] NOT NULL,
    folded boolean[],
    PRIMARY KEY (inst_id, metric_no, first_rank)
);
-- A block fits its page unless its sums have many digits; only then it goes elsewhere.
ALTER TABLE profdepot.call_tree_blocks
    SET (toast_tuple_target = 8160),
    ALTER nodes SET STORAGE MAIN,
    ALTER parents SET STORAGE MAIN,
    ALTER depths SET STORAGE MAIN,
    ALTER routine_ids SET STORAGE MAIN,
    ALTER selfs SET STORAGE MAIN,
    ALTER cut_selfs SET STORAGE MAIN,
    ALTER totals SET STORAGE MAIN,
    ALTER folded SET STORAGE MAIN,
    ALTER nodes SET STATISTICS 0,
    ALTER parents SET STATISTICS 0,
    ALTER depths SET STATISTICS 0,
    ALTER routine_ids SET STATISTICS 0,
    ALTER selfs SET STATISTICS 0,
    ALTER cut_selfs SET STATISTICS 0,
    ALTER totals SET STATISTICS 0,
    ALTER folded SET STATISTICS 0;
COMMENT ON TABLE profdepot.call_tree_blocks IS 'nodes of call trees, a block of neighbours by rank a row; read them through the view call_tree';
COMMENT ON COLUMN profdepot.call_tree_blocks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.call_tree_blocks.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.call_tree_blocks.first_rank IS 'rank of the first node; the others follow';
COMMENT ON COLUMN profdepot.call_tree_blocks.nodes IS 'number of each in preorder';
COMMENT ON COLUMN profdepot.call_tree_blocks.parents IS 'node above each; of the root -1';
COMMENT ON COLUMN profdepot.call_tree_blocks.depths IS 'frames above each';
COMMENT ON COLUMN profdepot.call_tree_blocks.routine_ids IS 'routine of each; NULL for the root and for an unknown routine';
COMMENT ON COLUMN profdepot.call_tree_blocks.selfs IS 'what each itself has, and what was folded into it';
COMMENT ON COLUMN profdepot.call_tree_blocks.cut_selfs IS 'self of each when only the first 8,192 places are shown; NULL where it is the same for all';
COMMENT ON COLUMN profdepot.call_tree_blocks.totals IS 'each with all below it';
COMMENT ON COLUMN profdepot.call_tree_blocks.folded IS 'whether nodes below it were left out; NULL where none were';

-- The series stands first for the planner: it takes it for 1,000 rows, an array for 10.
CREATE VIEW profdepot.call_tree AS
SELECT b.inst_id,
       b.metric_no,
       b.first_rank + t.n AS rank,
       t.node,
       NULLIF(t.parent, -1) AS parent,
       t.depth,
       t.routine_id,
       t.self,
       COALESCE(t.cut_self, t.self) AS cut_self,
       t.total,
       COALESCE(t.folded, false) AS folded
FROM profdepot.call_tree_blocks b
CROSS JOIN LATERAL ROWS FROM (generate_series(0, cardinality(b.nodes) - 1),
    unnest(b.nodes, b.parents, b.depths, b.routine_ids, b.selfs, b.cut_selfs, b.totals, b.folded))
    AS t (n, node, parent, depth, routine_id, self, cut_self, total, folded);
COMMENT ON VIEW profdepot.call_tree IS 'calls from the outermost inwards, numbered in preorder, a tree a metric; the 65,536 widest nodes, the rest folded into their parents';
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
