// A program that records EVENTS events with the package and ends. It does nothing else, so the client must send
// them before the process exits.

import { readFileSync } from 'node:fs';
import { createClient } from '../../sdk/dist/esm/node.js';

const { HOST, WRITE_KEY, EVENTS } = process.env;
const problems = [];
const client = createClient({
  writeKey: WRITE_KEY,
  host: HOST,
  onProblem: ({ code, message }) => problems.push(`${code}: ${message}`),
});
for (let i = 0; i < Number(EVENTS); i++) {
  client.track({ userId: `user-${i % 100}`, event: 'Order Completed', properties: { number: i } });
  if (client.waiting >= 5_000) await client.flush();
}
process.on('exit', () => {
  const peakKiB = peakOf(readFileSync('/proc/self/status', 'utf8'));
  process.stdout.write(`${JSON.stringify({ waiting: client.waiting, peakKiB, problems })}\n`);
});

/** The most resident memory so far. `resourceUsage().maxRSS` is at least that of the parent process. */
function peakOf(status) {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)[1]);
}
