/* odd_inputs.js FOLDER: writes one file per format. In these files, every name looks like markup. */
"use strict";
const fs = require("fs"), path = require("path");
const folder = process.argv[2];
const img = "<img/src=x/onerror=alert(1)>", script = "<script>alert(2)</script>", svg = "\"><svg/onload=alert(3)>";
const write = (name, text) => fs.writeFileSync(path.join(folder, name), typeof text === "string" ? text : JSON.stringify(text));

write("odd.speedscope.json", { $schema: "https://www.speedscope.app/file-format-schema.json", name: script,
	shared: { frames: [{ name: img, file: svg, line: 1 }, { name: script }] },
	profiles: [{ type: "sampled", name: svg, unit: "milliseconds", startValue: 0, endValue: 3,
		samples: [[0], [0, 1], [1]], weights: [1, 1, 1] }] });
write("odd.log", `=================================================================
==7==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 4 byte(s) in 1 object(s) allocated from:
    #0 0x1 in malloc /san/malloc.cpp:69
    #1 0x2 in ${img} /src/${"<b>bold</b>"}.c:7

SUMMARY: AddressSanitizer: 4 byte(s) leaked in 1 allocation(s).
`);
const event = (name, ph, ts, more) => ({ name, ph, ts, pid: 1, tid: 2, cat: "blink.user_timing", ...more });
write("odd.trace.json", { traceEvents: [event(img, "R", 10, { args: { data: { detail: JSON.stringify(script) } } }),
	event(script, "b", 20, { id: "0x1", args: {} }), event(script, "e", 90, { id: "0x1", args: {} })] });
write("odd.miniprofiler.json", { Id: "5d7d5f46-0f3e-4c3b-9d8b-0f4f3f1f0a11", Name: img,
	Started: "2025-11-14T09:30:00Z", DurationMilliseconds: 9, MachineName: script, User: svg,
	Root: { Id: "6d7d5f46-0f3e-4c3b-9d8b-0f4f3f1f0a11", Name: img, DurationMilliseconds: 9, StartMilliseconds: 0,
		CustomTimings: { sql: [1, 4].map(start => ({ Id: `7d7d5f46-0f3e-4c3b-9d8b-0f4f3f1f0a1${start}`,
			CommandString: `select '${script}'`, ExecuteType: svg, StackTraceSnippet: "", StartMilliseconds: start,
			DurationMilliseconds: 2 })) } } });
write("odd.kernelscope.json", { hostname: script, time: "2025-11-14 09:30:00",
	offcputime: [{ process: img, pid: 7, stack: `${img};${script}`, elapsed: 5 }] });
