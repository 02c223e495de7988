// A program that sends EVENTS events with the package and ends, which is all that it does to have them sent.

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
  const { maxRSS } = process.resourceUsage();
  process.stdout.write(`${JSON.stringify({ waiting: client.waiting, maxRSS, problems })}\n`);
});
