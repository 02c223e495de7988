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
    default:
      client.add(call, fields);
  }
}
