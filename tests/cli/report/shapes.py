"""Asks a depot questions through the command line, and compares the answers and plans of several passes.

shapes.py choose PROGRAM QUESTIONS PASS INST_ID...  asks every report about some of the result sets, and the commands;
                                     keeps the questions that have an answer, and writes them and the pass; prints
                                     reports without any row
shapes.py ask PROGRAM QUESTIONS PASS          asks the questions again
shapes.py ask PROGRAM QUESTIONS PASS LOG      asks only the first question of each report, and the commands; LOG is the
                                              server's log with the plans
shapes.py compare QUESTIONS FIRST PASS        prints the questions whose answers differ
shapes.py plans QUESTIONS PASS...             prints each question of the last pass whose plans read too much
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

# The other result sets have 10,000 to 40,000 rows in each relation. The planner expects 1,000 rows per result set, so it
# may read a relation with 10,000 to 20,000 facts; see tests/cli/store/many.sh.
MOST_SCANNED = 30000
# A question may read this number of times the blocks of the best pass, and some more blocks: if the statistics are of a
# tiny relation, the planner reads up to a few hundred pages from end to end. A trend may do this for each result set.
MOST_TIMES, MOST_BLOCKS, MOST_BLOCKS_OF_TREND = 3, 500, 2000
# Times depend on the machine, so only a gross difference counts.
TIMES, SECONDS = 10, 2.0
# Each report is asked about at most this number of inputs.
INPUTS = 2
# Values that differ between two loads of the same input.
VARYING = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?|ledger number \d+|as-of \d+")


def run(program, question):
    begin = time.monotonic()
    done = subprocess.run([program, *question], capture_output=True, stdin=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    output = VARYING.sub(b"TIME", done.stdout + done.stderr)
    return done, {"digest": hashlib.sha256(b"%d\n%b" % (done.returncode, output)).hexdigest(), "seconds": seconds}


def reports(program):
    for report in json.loads(subprocess.check_output([program, "reports", "--output", "json"])):
        if report["name"] not in ("dossier", "diff", "trend", "timings-trend", "suppressions"):
            yield report["name"], report["by"]


def report_questions(program, inst_ids):
    for name, by in reports(program):
        for inst_id in inst_ids:
            ways = [["--object", "0"], ["--error", "0"]] if name == "stack" else [["--by", by]] if by else [[]]
            for way in ways:
                yield ["report", name, inst_id, *way, "--output", "csv"]


def command_questions(inst_ids):
    # The planner expects 1,000 rows per result set, so for many result sets it may read a relation from end to end.
    stream = ["--application", "Shapes", "--last", "3"]
    for by in ("stack", "class", "routine", "module", "own", "object"):
        yield ["diff", inst_ids[0], inst_ids[1], "--by", by, "--output", "csv"]
    yield ["diff", inst_ids[0], inst_ids[1], "--metric", "errors", "--output", "csv"]
    for metric in ("live_count", "live_size", "errors", "samples"):
        yield ["trend", metric, *stream, "--output", "csv"]
    yield ["trend", "live_count", *stream, "--class", "*", "--output", "csv"]
    yield ["trend", "live_count", *stream, "--routine", "*a*", "--module", "*", "--output", "csv"]
    yield ["trend", "live_count", *stream, "--thread", "*", "--output", "csv"]
    yield ["trend", "errors", *stream, "--name", "*", "--routine", "*a*", "--output", "csv"]
    yield ["trend", "samples", *stream, "--routine", "*a*", "--output", "csv"]
    yield ["trend", "duration", *stream, "--name", "*", "--output", "csv"]
    yield ["report", "timings-trend", *inst_ids, "--output", "csv"]
    stream = stream[:2]
    yield ["list", *stream, "--output", "csv"]
    yield ["list", "--label", "kind=shapes", "--output", "csv"]
    yield ["list", *stream, "--label", "kind=shapes", "--limit", "2", "--output", "csv"]
    yield ["list", "--app-version", "7.7", "--output", "csv"]
    yield ["list", "--search", "shapes 7.7", "--output", "csv"]
    yield ["list", "--run", "shapes", "--output", "csv"]
    yield ["history", "--stream", "Shapes", "--no-pager", "--output", "csv"]
    yield ["retain", "run", "--dry-run"]
    yield ["rm", "--older-than", "9000d", "--keep", "5", "--dry-run"]
    for inst_id in inst_ids[::3]:
        yield ["show", inst_id]
        yield ["verify", inst_id]
        yield ["flame", inst_id, "--output", "json"]
    for inst_id in inst_ids[:3]:
        yield ["check", inst_id, "--budget", os.environ["BUDGETS"]]


def answers_of(pool, program, questions):
    return zip(questions, pool.map(lambda q: run(program, q), questions))


def choose(program, questions_file, pass_file, *inst_ids):
    kept, answers, found = [], [], Counter()
    # The second result set is of the same kind as the first one, so only comparisons and trends use it.
    asked = [ids for n, ids in enumerate(inst_ids) if n != 1]
    names = set()
    with ThreadPoolExecutor(4) as pool:
        for inst_id in asked:
            questions = list(report_questions(program, [inst_id]))
            names.update((q[1], *q[3:-2]) for q in questions)
            missing = [q for q in questions if found[q[1], *q[3:-2]] < INPUTS]
            for question, (done, answer) in answers_of(pool, program, missing):
                # A report about a result set without such facts shows only a head, or fails.
                name = question[1], *question[3:-2]
                if done.returncode == 0 and done.stdout.count(b"\n") > 1:
                    kept.append((question, not found[name]))
                    answers.append(answer)
                    found[name] += 1
        for name in names.difference(found):
            print(*name)
        for question, (done, answer) in answers_of(pool, program, list(command_questions(inst_ids))):
            if done.returncode < 2:
                kept.append((question, True))
                answers.append(answer)
            elif question[0] != "flame":
                print(*question)
    json.dump(kept, open(questions_file, "w"))
    json.dump(answers, open(pass_file, "w"))


def read_plans(text):
    """The blocks that the statements read, and the relations that they read from end to end."""
    blocks, scans = 0, []

    def visit(node):
        name = node.get("Relation Name", "")
        handled = node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0)
        if node["Node Type"] == "Seq Scan" and handled > MOST_SCANNED and not name.startswith("pg_"):
            scans.append(name)
        for child in node.get("Plans", []):
            visit(child)

    for plan in re.findall(r"plan:\n((?:\t.*\n)+)", text):
        top = json.loads(plan, strict=False)["Plan"]
        blocks += top.get("Shared Hit Blocks", 0) + top.get("Shared Read Blocks", 0)
        visit(top)
    return blocks, scans


def ask(program, questions_file, pass_file, log=None):
    questions = json.load(open(questions_file))
    if not log:
        with ThreadPoolExecutor(4) as pool:
            answers = [answer for _, (_, answer) in answers_of(pool, program, [q for q, _ in questions])]
        json.dump(answers, open(pass_file, "w"))
        return
    answers = []
    with open(log, "rb") as logged:
        for question, is_first in questions:
            answer = None
            if is_first:
                logged.seek(0, 2)
                _, answer = run(program, question)
                answer["blocks"], answer["scans"] = read_plans(logged.read().decode(errors="replace"))
            answers.append(answer)
    json.dump(answers, open(pass_file, "w"))


def compare(questions_file, first, other):
    rows = zip(json.load(open(questions_file)), json.load(open(first)), json.load(open(other)))
    for (question, _), a, b in rows:
        if b and a["digest"] != b["digest"]:
            print(" ".join(question))


def plans(questions_file, *passes):
    every = [json.load(open(p)) for p in passes]
    for i, (question, is_first) in enumerate(json.load(open(questions_file))):
        if not is_first:
            continue
        answer = every[-1][i]
        blocks = min(p[i]["blocks"] for p in every)
        seconds = min(p[i]["seconds"] for p in every)
        more = MOST_BLOCKS_OF_TREND if question[0] == "trend" else MOST_BLOCKS
        said = " ".join(question)
        if not answer["blocks"]:
            print(f"{said}: no plan was logged")
        for relation in answer["scans"]:
            print(f"{said}: reads all of {relation}")
        if answer["blocks"] > MOST_TIMES * blocks + more:
            print(f"{said}: reads {answer['blocks']} blocks instead of {blocks}")
        if answer["seconds"] > TIMES * seconds + SECONDS:
            print(f"{said}: takes {answer['seconds']:.1f} s instead of {seconds:.1f} s")


globals()[sys.argv[1]](*sys.argv[2:])
