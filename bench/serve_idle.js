// Opens idle connections: half are silent, half send one byte of a request per second. A closed connection is
// reopened immediately. On SIGTERM, prints how many connections were open, closed and refused.
//	serve_idle.js BASE CONNECTIONS
'use strict';
const net = require('net');
const at = new URL(process.argv[2]);
const wanted = Number(process.argv[3]);
const text = 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const open = new Set();
let opened = 0, closed = 0, refused = 0, least = Infinity;

function connect(drips)
{
	const s = net.connect(Number(at.port), at.hostname);
	let sent = 0, timer = null;
	s.on('connect', () => {
		opened++;
		open.add(s);
		if (drips)
			timer = setInterval(
				() => s.write(text[sent] || 'x', () => { sent++; }), 1000);
	});
	s.on('data', () => {});
	s.on('error', () => {});
	s.on('close', () => {
		clearInterval(timer);
		if (open.delete(s))
			closed++;
		else
			refused++;
		setTimeout(connect, 10, drips);
	});
}

for (let i = 0; i < wanted; i++)
	connect(i % 2);
setTimeout(() => {
	console.log('open');
	setInterval(() => { least = Math.min(least, open.size); }, 500);
}, 2000);
process.on('SIGTERM', () => {
	console.log(
		`${wanted} connections, ${
			wanted /
			2} of them silent, the others with one byte per second: at least ${least} open ` +
		`at any time, ${closed} times closed by the server, ${refused} times refused`);
	process.exit(0);
});
