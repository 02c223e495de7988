// The driver of our own client for Node, as it is built.

import { createInterface } from 'node:readline';
import { createClient } from '../../sdk/dist/esm/node.js';

const { BASE_URL, WRITE_KEY } = process.env;
const client = createClient({ host: BASE_URL, writeKey: WRITE_KEY });
const CALLS = {
  flush: () => void client.flush(),
  close: () => client.close().then(() => process.exit(0)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { call, ...fields } = JSON.parse(line);
  if (call in CALLS) await CALLS[call]();
  else client[call](fields);
}
