-- Call graphs: callers, callees and costs, for formats without stacks.

CREATE TABLE profdepot.call_graph ( -- row: graph_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    routine_id bigint NOT NULL,
    source_file text COLLATE "C",
    source_line bigint, -- member=line
    target_id bigint,
    target_line bigint,
    count numeric,
    followed numeric,
    metric_no integer NOT NULL, -- member=metric
    costs numeric[], -- member=values count=value_count digest=no
    PRIMARY KEY (inst_id, id),
    CHECK (kind IN ('self', 'call', 'jump', 'conditional jump'))
);
COMMENT ON TABLE profdepot.call_graph IS 'exact line and call costs of routines, and jumps, as counted by callgrind; the stacks of such a result set are only estimated';
COMMENT ON COLUMN profdepot.call_graph.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.call_graph.id IS 'number of the row, from 1';
COMMENT ON COLUMN profdepot.call_graph.kind IS 'self: cost of the line itself; call: cost of a routine that is called there; jump, conditional jump: a jump from the line to another line';
COMMENT ON COLUMN profdepot.call_graph.routine_id IS 'REC_ID of the routine';
COMMENT ON COLUMN profdepot.call_graph.source_file IS 'file of the line, which differs from the routine''s file if code was inlined; NULL if unknown';
COMMENT ON COLUMN profdepot.call_graph.source_line IS 'the line; NULL if unknown';
COMMENT ON COLUMN profdepot.call_graph.target_id IS 'REC_ID of the called routine, or of the routine that contains the jump''s target; NULL for self rows';
COMMENT ON COLUMN profdepot.call_graph.target_line IS 'target line of the call or jump; NULL if unknown';
COMMENT ON COLUMN profdepot.call_graph.count IS 'number of calls, or of executions of a jump';
COMMENT ON COLUMN profdepot.call_graph.followed IS 'number of times that a conditional jump was taken';
COMMENT ON COLUMN profdepot.call_graph.metric_no IS 'metric of the first cost; the other costs belong to the metrics that follow it';
COMMENT ON COLUMN profdepot.call_graph.costs IS 'the costs; NULL for a jump';

-- The total of a routine that is called is the cost of all calls to it. The total of a routine that is
-- never called is its self cost plus the cost of the calls that it makes, as in callgrind_annotate. With
-- recursion, a total can exceed the program's total.
CREATE FUNCTION profdepot.total_call_graph(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM profdepot.call_graph g WHERE g.inst_id = p_inst_id) THEN
        RETURN;
    END IF;
    DELETE FROM profdepot.routine_totals t WHERE t.inst_id = p_inst_id;
    INSERT INTO profdepot.routine_totals (inst_id, metric_no, routine_id, self, total)
    SELECT p_inst_id, s.metric_no, s.routine_id, sum(s.self),
           CASE WHEN bool_or(s.called) THEN sum(s.entered) ELSE sum(s.self) + sum(s.calls) END
    FROM (SELECT g.metric_no + v.n::integer - 1 AS metric_no, g.routine_id, false AS called,
                 CASE g.kind WHEN 'self' THEN v.cost ELSE 0 END AS self,
                 CASE g.kind WHEN 'call' THEN v.cost ELSE 0 END AS calls,
                 0 AS entered
          FROM profdepot.call_graph g
          CROSS JOIN LATERAL unnest(g.costs) WITH ORDINALITY v (cost, n)
          WHERE g.inst_id = p_inst_id AND g.kind IN ('self', 'call')
          UNION ALL
          SELECT g.metric_no + v.n::integer - 1, g.target_id, true, 0, 0, v.cost
          FROM profdepot.call_graph g
          CROSS JOIN LATERAL unnest(g.costs) WITH ORDINALITY v (cost, n)
          WHERE g.inst_id = p_inst_id AND g.kind = 'call') s
    GROUP BY s.metric_no, s.routine_id;
END;
$$;
COMMENT ON FUNCTION profdepot.total_call_graph(bigint) IS 'computes routine totals from the call graph, for a result set that has one';
