/* Writes speedscope files into the folder argv[2]. Their shapes and names are hard to draw. */
"use strict";
const fs = require("fs");

function write(name, unit, frames, samples, weights) {
	const endValue = weights.reduce((a, b) => a + b, 0);
	fs.writeFileSync(`${process.argv[2]}/${name}.speedscope.json`, JSON.stringify({
		$schema: "https://www.speedscope.app/file-format-schema.json", name, shared: { frames },
		profiles: [{ type: "sampled", name, unit, startValue: 0, endValue, samples, weights }] }));
}

const range = n => [...Array(n).keys()];

/* A stack with 300 frames, and each prefix of this stack. */
write("deep", "microseconds", range(300).map(i => ({ name: `Space.Class.method_${i}(int, std::string const&)` })),
	range(300).map(i => range(i + 1)), range(300).map(i => 1000 + i));
/* 4,000 frames side by side. The widest frame is a thousand times as wide as the median. */
write("wide", "nanoseconds", range(4000).map(i => ({ name: `handler_${i}`, file: `f${i % 40}.py` })),
	range(4000).map(i => [i]), range(4000).map(i => Math.floor(1e9 / (i + 1))));
write("one", "none", [{ name: "only" }], [[0]], [5]);
write("names", "bytes", ["main", "<img src=x onerror=alert(1)>&'\"]]> --> </script><script>alert(2)</script>",
	"bidi\u202eabc\u2066x", "nul\u0000x\u0001\u001b[31m", "x".repeat(2000), "漢字".repeat(30),
	"std::vector<std::basic_string<char>>::emplace_back<char const (&)[12]>(char const (&)[12])",
	"", "\ud800 alone", "javascript:alert(3)", "</title></svg><svg onload=alert(4)>",
	"{{constructor.constructor('alert(5)')()}}"].map(name => ({ name })),
	range(11).map(i => [0, i + 1]), range(11).map(i => 1024 * (i + 1)));
