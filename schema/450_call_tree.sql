-- The widest nodes of the call trees, and routine costs.

-- Nodes are stored in blocks of arrays, because an index entry per node takes longer to write than the
-- node.
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
-- A block is stored out of line only if its sums have so many digits that it does not fit into a page.
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
COMMENT ON TABLE profdepot.call_tree_blocks IS 'nodes of call trees, one row per block of adjacent ranks; read them through the view call_tree';
COMMENT ON COLUMN profdepot.call_tree_blocks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.call_tree_blocks.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.call_tree_blocks.first_rank IS 'rank of the first node; the other nodes have the ranks that follow';
COMMENT ON COLUMN profdepot.call_tree_blocks.nodes IS 'number of each node in preorder';
COMMENT ON COLUMN profdepot.call_tree_blocks.parents IS 'parent of each node; -1 for the root';
COMMENT ON COLUMN profdepot.call_tree_blocks.depths IS 'number of frames above each node';
COMMENT ON COLUMN profdepot.call_tree_blocks.routine_ids IS 'routine of each node; NULL for the root and for an unknown routine';
COMMENT ON COLUMN profdepot.call_tree_blocks.selfs IS 'self value of each node, including nodes folded into it';
COMMENT ON COLUMN profdepot.call_tree_blocks.cut_selfs IS 'self value of each node if only the first 8,192 ranks are shown, including the totals of the calls that are omitted; NULL if selfs has the same values';
COMMENT ON COLUMN profdepot.call_tree_blocks.totals IS 'total of each node: its self value plus the self values of all nodes below it';
COMMENT ON COLUMN profdepot.call_tree_blocks.folded IS 'for each node: whether nodes below it were omitted; NULL if this is false for all nodes';

-- generate_series comes first, because the planner expects 1,000 rows from a series, and only 10 from
-- an array.
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
COMMENT ON VIEW profdepot.call_tree IS 'one call tree per metric, from the outermost calls inwards: the 65,536 widest nodes, in preorder; all other nodes are folded into their parents';
COMMENT ON COLUMN profdepot.call_tree.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.call_tree.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.call_tree.rank IS 'rank by width, from 0 for the root; for every n, the nodes with the first n ranks form a tree; the width of a node is the largest absolute total among the node and its descendants';
COMMENT ON COLUMN profdepot.call_tree.node IS 'number of the node in preorder; 0 is the root, whose total is the result set''s total';
COMMENT ON COLUMN profdepot.call_tree.parent IS 'parent of the node; NULL for the root';
COMMENT ON COLUMN profdepot.call_tree.depth IS 'number of frames above the node; 0 for the root';
COMMENT ON COLUMN profdepot.call_tree.routine_id IS 'REC_ID of the routine; NULL for the root and for an unknown routine';
COMMENT ON COLUMN profdepot.call_tree.self IS 'self value of the node, including nodes folded into it';
COMMENT ON COLUMN profdepot.call_tree.cut_self IS 'self value of the node if only the first 8,192 ranks are shown: includes the totals of the calls that are then omitted; same as self for later ranks';
COMMENT ON COLUMN profdepot.call_tree.total IS 'self value plus the self values of all nodes below the node';
COMMENT ON COLUMN profdepot.call_tree.folded IS 'whether nodes below this node were omitted; its self value includes them';

CREATE TABLE profdepot.routine_totals (
    inst_id bigint NOT NULL,
    metric_no integer NOT NULL,
    routine_id bigint NOT NULL,
    self numeric NOT NULL,
    total numeric NOT NULL,
    PRIMARY KEY (inst_id, metric_no, routine_id)
);
COMMENT ON TABLE profdepot.routine_totals IS 'self value and total of each routine; recursive calls count once';
COMMENT ON COLUMN profdepot.routine_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.routine_totals.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.routine_totals.routine_id IS 'REC_ID of the routine; -1 if unknown';
COMMENT ON COLUMN profdepot.routine_totals.self IS 'self value of the routine';
COMMENT ON COLUMN profdepot.routine_totals.total IS 'self value plus the cost of everything that the routine calls';
