// Tries to stop a service: again and again, it abandons comparisons, draws the difference of two result sets, sends
// several uploads in parallel, and sends an upload with millions of routines.
//	serve_abuse.js BASE SECONDS OLD NEW
// OLD and NEW are INST_IDs of two large result sets.
'use strict';
const http = require('http');
const zlib = require('zlib');
const [base, seconds, old, fresh] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const COMPARISONS = 8, UPLOADS = 10, UPLOAD_BYTES = 1e6;
const ROUTINES = 3e6;
const until = Date.now() + seconds * 1000;
const statuses = {};
const open = new Set();
let abandoned = 0, number = 0;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function count(what, status) {
  const key = `${what} ${status}`;
  statuses[key] = (statuses[key] || 0) + 1;
}

function ask(method, path, body, what) {
  let request;
  const ended = new Promise((resolve) => {
    request = http.request(base + path, { method, agent: false }, (answer) => {
      answer.on('data', () => {});
      answer.on('end', () => { count(what, answer.statusCode); resolve(answer.statusCode); });
      answer.on('error', () => resolve(0));
    });
    request.on('error', () => resolve(0));
    request.on('close', () => { open.delete(request); resolve(0); });
    open.add(request);
    request.end(body);
  });
  return { request, ended };
}

// Abandons half of the comparisons while the service reads, and the others while it compares.
async function compare() {
  for (; Date.now() < until; await pause(500)) {
    const all = [...Array(COMPARISONS).keys()].map(() => ask('GET', `/v1/diff?base=${old}&new=${fresh}`, undefined, 'diff'));
    await pause(500);
    for (const a of all.slice(0, COMPARISONS / 2)) a.request.destroy();
    await pause(3000);
    for (const a of all.slice(COMPARISONS / 2)) a.request.destroy();
    abandoned += COMPARISONS;
  }
}

function stacks() {
  const lines = [];
  number++;
  for (let size = 0, i = 0; size < UPLOAD_BYTES; i++) {
    lines.push(`main;part_${number};routine_with_a_long_name_${i} ${i}`);
    size += lines[i].length + 1;
  }
  return lines.join('\n');
}

async function upload() {
  for (; Date.now() < until; await pause(5000)) {
    const all = [...Array(UPLOADS).keys()].map(() => ask('POST', '/v1/result-sets?name=abuse.folded', stacks(), 'upload'));
    await Promise.race([Promise.all(all.map((a) => a.ended)), pause(until - Date.now())]);
  }
}

// Draws flame graphs of the difference, one after the other.
async function draw() {
  for (; Date.now() < until; await pause(2000))
    await Promise.race([ask('GET', `/v1/result-sets/${fresh}/flame?base=${old}&format=json`, undefined, 'flame').ended,
      pause(until - Date.now())]);
}

// One line per routine. Compressed, the file has about 7 MB.
function manyRoutines() {
  const names = [];
  for (let i = 0; i < ROUTINES; i++) names.push(i.toString(36));
  return zlib.gzipSync(`${names.join(' 1\n')} 1\n`);
}

async function uploadMany() {
  const body = manyRoutines();
  for (; Date.now() < until; await pause(30000))
    await Promise.race([ask('POST', '/v1/result-sets?name=many.folded.gz&again=true', body, 'large upload').ended,
      pause(until - Date.now())]);
}

// At the end, does not wait for answers that are still missing.
Promise.all([compare(), draw(), upload(), uploadMany()]).then(() => {
  for (const request of open) request.destroy();
  console.log(`abandoned comparisons: ${abandoned}; answers: ${Object.entries(statuses).map(([k, n]) => `${n} x ${k}`).join(', ')}`);
  process.exit(0);
});
