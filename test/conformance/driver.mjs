import { createInterface } from 'node:readline';
import { PlainClient } from './plain-client.mjs';

const { BASE_URL, WRITE_KEY, STORAGE_DIR, CLOCK_OFFSET_MS } = process.env;
const client = new PlainClient({
  baseUrl: BASE_URL,
  writeKey: WRITE_KEY,
  storageDirectory: STORAGE_DIR,
  clockOffsetMs: Number(CLOCK_OFFSET_MS),
});
const exit = () => process.exit(0);
const CALLS = {
  flush: () => void client.flush(),
  close: () => client.close().then(exit),
  consent: ({ granted }) => client.consent(granted),
  inApp: ({ surface }) => client.fetchInApp(surface),
  feedback: fields => void client.feedback(fields),
  response: fields => void client.respond(fields),
  pushEngagement: fields => void client.engage(fields),
  registerDevice: fields => void client.device('register', fields),
  deactivateDevice: fields => void client.device('deactivate', fields),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { call, ...fields } = JSON.parse(line);
  if (call in CALLS) await CALLS[call](fields);
  else client.add(call, fields);
}
