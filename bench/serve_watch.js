// Requests /v1/health/live every 20 ms, as a proxy would. It is a process of its own, so that the other clients'
// work does not count as time of the service. Prints the latencies; the last line is "live P99", in ms.
//	serve_watch.js BASE SECONDS
'use strict';
const http = require('http');
const base = process.argv[2];
const until = Date.now() + Number(process.argv[3]) * 1000;
const times = [];
let wrong = 0;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function ask() {
  return new Promise((resolve) => {
    http.get(`${base}/v1/health/live`, { agent: false }, (answer) => {
      answer.on('data', () => {});
      answer.on('end', () => resolve(answer.statusCode));
    }).on('error', () => resolve(0));
  });
}

(async () => {
  for (; Date.now() < until; await pause(20)) {
    const begin = process.hrtime.bigint();
    if (await ask() !== 200) wrong++;
    times.push(Number(process.hrtime.bigint() - begin) / 1e6);
  }
  times.sort((a, b) => a - b);
  const at = (q) => times[Math.floor((times.length - 1) * q)].toFixed(1);
  console.log(`/v1/health/live, ms: ${times.length} requests, p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)}`);
  if (wrong) console.log(`ERROR /v1/health/live failed ${wrong} times`);
  console.log(`live ${at(0.99)}`);
  process.exit(wrong ? 1 : 0);
})();
