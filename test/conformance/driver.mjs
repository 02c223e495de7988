import { createInterface } from 'node:readline';
import { PlainClient } from './plain-client.mjs';

const { BASE_URL, WRITE_KEY, STORAGE_DIR, CLOCK_OFFSET_MS } = process.env;
const client = new PlainClient({
  baseUrl: BASE_URL,
  writeKey: WRITE_KEY,
  storageDirectory: STORAGE_DIR,
  clockOffsetMs: Number(CLOCK_OFFSET_MS),
});

for await (const line of createInterface({ input: process.stdin })) {
  const { call, ...fields } = JSON.parse(line);
  switch (call) {
    case 'flush':
      void client.flush();
      break;
    case 'close':
      await client.close();
      process.exit(0);
      break;
    case 'consent':
      client.consent(fields.granted);
      break;
    case 'inApp':
      await client.fetchInApp(fields.surface);
      break;
    case 'feedback':
      void client.feedback(fields);
      break;
    case 'response':
      void client.respond(fields);
      break;
    case 'pushEngagement':
      void client.engage(fields);
      break;
    case 'registerDevice':
      void client.device('register', fields);
      break;
    case 'deactivateDevice':
      void client.device('deactivate', fields);
      break;
    default:
      client.add(call, fields);
  }
}
