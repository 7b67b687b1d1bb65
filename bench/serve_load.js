// So many readers and writers at once, each with one request under way; what they met, as JSON.
//	serve_load.js BASE SECONDS READERS WRITERS
'use strict';
const http = require('http');
const [base, seconds, readers, writers] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const reads = ['/v1/health', '/v1/whoami', '/v1/result-sets'];
const until = Date.now() + seconds * 1000;
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
const times = { read: [], write: [] };
const errors = {};

function request(kind, method, path, body) {
  return new Promise((resolve) => {
    const begin = process.hrtime.bigint();
    const failed = (what) => {
      errors[what] = (errors[what] || 0) + 1;
      resolve();
    };
    const r = http.request(base + path, { method, agent, headers: body ? { 'Content-Type': 'application/json' } : {} },
      (answer) => {
        answer.resume();
        answer.on('end', () => {
          times[kind].push(Number(process.hrtime.bigint() - begin) / 1e6);
          return answer.statusCode < 300 ? resolve() : failed(`${method} ${path} ${answer.statusCode}`);
        });
        answer.on('aborted', () => failed(`${method} ${path} cut`));
      });
    r.on('error', (e) => failed(`${method} ${path} ${e.code}`));
    r.end(body);
  });
}

function batch(writer, n) {
  const data = [];
  for (let i = 0; i < 20; i++) {
    data.push({ process: `p${writer}`, pid: writer, stack: `leaf${(n + i) % 50};mid;main`, off_time_us: i,
      start_time: '2026-01-31 17:00:00', end_time: '2026-01-31 17:00:01' });
  }
  return JSON.stringify({ category: 'offcputime', hostname: `h${writer % 5}`, time: '2026-01-31 17:00:00', data });
}

async function reader(i) {
  for (let n = i; Date.now() < until; n++) await request('read', 'GET', reads[n % reads.length]);
}

async function writer(i) {
  for (let n = 0; Date.now() < until; n++) await request('write', 'POST', '/v1/events', batch(i, n));
}

const quantile = (list, q) => (list.length ? Number(list[Math.floor((list.length - 1) * q)].toFixed(1)) : null);

Promise.all([...Array(readers).keys()].map(reader).concat([...Array(writers).keys()].map(writer))).then(() => {
  const out = { seconds, readers, writers, errors };
  for (const kind of Object.keys(times)) {
    const t = times[kind].sort((a, b) => a - b);
    out[kind] = { requests: t.length, p50_ms: quantile(t, 0.5), p99_ms: quantile(t, 0.99), worst_ms: quantile(t, 1) };
  }
  console.log(JSON.stringify(out, null, 1));
  process.exit(Object.keys(errors).length ? 1 : 0);
});
