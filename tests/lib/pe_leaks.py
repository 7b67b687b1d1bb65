#!/usr/bin/env python3
# pe_leaks.py TARGET FILE.exe: writes a heaptrack recording in which each allocation call of a Windows program, built
# with mingw for TARGET, leaks one block. No Windows is needed: calls come from the disassembly, and names and lines
# from the debug information. Each function of the program must have only one caller.
import collections
import re
import subprocess
import sys

ALLOCATORS = re.compile(r"_*(malloc|calloc|strdup|Zn[wa][jy])$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_calls(target, exe):
    """Returns {callee: [(caller, address of the call)]} of direct calls; a function is its address."""
    names, calls, function = {}, collections.defaultdict(list), None
    for line in output(target + "-objdump", "-d", "--no-show-raw-insn", exe).splitlines():
        head = re.match(r"([0-9a-f]+) <(.*)>:$", line)
        call = re.match(r" *([0-9a-f]+):\t(?:call|jmp) +([0-9a-f]+) <([^+>]*)>$", line)
        if head:
            function = int(head[1], 16)
            names[function] = head[2]
        elif call:
            calls[int(call[2], 16)].append((function, int(call[1], 16)))
    return names, calls


def frames_of(target, exe, address, symbol):
    """Returns [(name, file, line)] of an address in the function `symbol`, with inlined functions, innermost first."""
    lines = output(target + "-addr2line", "-f", "-i", "-e", exe, hex(address)).splitlines()
    frames = []
    for name, place in zip(lines[::2], lines[1::2]):
        file, _, number = place.partition(" ")[0].rpartition(":")
        frames.append((name, file, int(number) if number.isdigit() else 0))
    # Debug information has no mangled names of local functions, but the symbol table has.
    frames[-1] = (symbol[target.startswith("i686"):], *frames[-1][1:])
    return frames


def stacks(target, exe):
    names, calls = read_calls(target, exe)
    mains = {a for a, n in names.items() if n.lstrip("_") == "main"}
    for allocator in [a for a, n in names.items() if ALLOCATORS.match(n)]:
        for function, address in calls[allocator]:
            stack, seen = [], set()
            while function is not None and function not in seen:
                seen.add(function)
                stack += frames_of(target, exe, address, names[function])
                if function in mains:
                    yield stack
                    break
                callers = [c for c in calls[function] if c[0] not in seen]
                function, address = callers[0] if callers else (None, 0)


def main(target, exe):
    strings, instructions, traces = {}, {}, {}

    def number(table, key, line):
        if key not in table:
            table[key] = len(table) + 1
            print(line)
        return table[key]

    def string(text):
        return number(strings, text, "s " + text)

    print("v 10200\nX " + exe + "\nI 1000 1")
    module = string(exe)
    for stack in stacks(target, exe):
        trace = 0
        for frame in reversed(stack):
            name, file, line = string(frame[0]), string(frame[1]), frame[2]
            ip = number(instructions, frame, f"i {len(instructions) + 0x5000:x} {module:x} {name:x} {file:x} {line:x}")
            trace = number(traces, (ip, trace), f"t {ip:x} {trace:x}")
        print(f"a 10 {trace:x}\n+ {main.blocks:x}\nc {main.blocks + 1:x}")
        main.blocks += 1


main.blocks = 0
main(*sys.argv[1:])
