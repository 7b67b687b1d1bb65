// Runs readers and writers in parallel, each with one request at a time, and prints a table of the results.
//	serve_load.js BASE SECONDS READERS WRITERS AQTIME SPEEDSCOPE [short]
// AQTIME and SPEEDSCOPE are INST_IDs of an AQTime and a speedscope result set. With "short", readers make
// only short requests. Exits with 1 if an answer was not 2xx, was incomplete or never arrived. The last line
// is "acknowledged N", where N is the number of events that the server acknowledged.
'use strict';
const http = require('http');
const [base, seconds, readers, writers, aqtime, speedscope] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const EVENTS = 20;
const short = process.argv[8] === 'short';
const reads = short ? [
  ['GET', '/v1/health'],
  ['GET', '/v1/whoami'],
  ['GET', '/v1/result-sets?limit=20'],
  ['GET', `/v1/result-sets/${aqtime}`],
  ['GET', `/v1/result-sets/${speedscope}`],
  ['GET', '/v1/categories'],
  ['GET', '/v1/metrics'],
  ['GET', '/api/getcategories'],
] : [
  ['GET', '/v1/health'],
  ['GET', '/v1/whoami'],
  ['GET', '/v1/result-sets'],
  ['GET', `/v1/result-sets/${aqtime}/reports/classes`],
  ['GET', `/v1/result-sets/${speedscope}/flame`],
  ['GET', '/v1/metrics'],
  ['GET', `/v1/result-sets/${aqtime}/reports/leaks?top=20`],
  ['GET', '/api/getcategories'],
];
const until = Date.now() + seconds * 1000;
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
const times = {};
const errors = {};
let acknowledged = 0;

function request(method, path, body) {
  return new Promise((resolve) => {
    const begin = process.hrtime.bigint();
    const key = `${method} ${path}`;
    const done = (error) => {
      if (error) errors[`${key}: ${error}`] = (errors[`${key}: ${error}`] || 0) + 1;
      resolve(!error);
    };
    const r = http.request(base + path, { method, agent, headers: body ? { 'Content-Type': 'application/json' } : {} },
      (answer) => {
        let size = 0;
        answer.on('data', (piece) => { size += piece.length; });
        answer.on('end', () => {
          (times[key] ||= []).push(Number(process.hrtime.bigint() - begin) / 1e6);
          done(answer.statusCode >= 300 ? answer.statusCode : size === 0 && 'an empty answer');
        });
        answer.on('aborted', () => done('cut'));
      });
    r.on('error', (e) => done(e.code));
    r.end(body);
  });
}

function batch(writer, n) {
  const data = [];
  for (let i = 0; i < EVENTS; i++) {
    data.push({ process: `p${writer}`, pid: writer, stack: `leaf${(n + i) % 50};mid;main`, elapsed: i });
  }
  return JSON.stringify({ hostname: `h${writer % 5}`, time: '2026-01-31 17:00:00', offcputime: data });
}

async function reader(i) {
  for (let n = i; Date.now() < until; n++) await request(...reads[n % reads.length]);
}

async function writer(i) {
  for (let n = 0; Date.now() < until; n++)
    if (await request('POST', '/v1/events', batch(i, n))) acknowledged += EVENTS;
}

function row(name, list) {
  const t = list.sort((a, b) => a - b);
  const at = (q) => t[Math.floor((t.length - 1) * q)].toFixed(0).padStart(7);
  console.log(`${name.padEnd(52)} ${String(t.length).padStart(8)} ${at(0.5)} ${at(0.99)} ${at(1)}`);
}

Promise.all([...Array(readers).keys()].map(reader).concat([...Array(writers).keys()].map(writer))).then(() => {
  const keys = Object.keys(times).sort();
  console.log(`${'ms'.padEnd(52)} requests     p50     p99   worst`);
  for (const key of keys) row(key, times[key]);
  row(`${readers} readers`, keys.filter((k) => k.startsWith('GET')).flatMap((k) => times[k]));
  row(`${writers} writers`, keys.filter((k) => k.startsWith('POST')).flatMap((k) => times[k]));
  for (const [what, count] of Object.entries(errors)) console.log(`ERROR ${what}: ${count} times`);
  console.log(`acknowledged ${acknowledged}`);
  process.exit(Object.keys(errors).length ? 1 : 0);
});
