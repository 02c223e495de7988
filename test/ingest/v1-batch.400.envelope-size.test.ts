// The batch's own context and unknown members are copied to each of its rows, so their size is
// limited.

import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { batchText, eventText } from '../harness/batch.ts';
import { expectAccepted, expectProblem, liveTenant, post } from '../harness/batch-client.ts';
import { send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

const ENVELOPE_BYTES_MAX = 16 * 1024;

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

/** A batch whose context (two values) and unknown member have this number of bytes in total. */
function batchWith(bytes: number): string {
  const half = Math.floor(bytes / 2);
  const context = `{"a":"${'x'.repeat(8_000)}","b":"${'x'.repeat(half - 8_014)}"}`;
  const member = `"integrations":"${'x'.repeat(bytes - context.length - 17)}"`;
  return `{${member},${batchText(tenant.writeKey, [eventText()], { context }).slice(1)}`;
}

test('16 KB of context and unknown members are accepted, one more byte is INVALID_CONTEXT', async () => {
  expectAccepted(await post(ingest(), batchWith(ENVELOPE_BYTES_MAX)), 1);
  expectProblem(await post(ingest(), batchWith(ENVELOPE_BYTES_MAX + 1)), 400, 'INVALID_CONTEXT');
});

test('two lengths for one body close the connection, and nothing after it is read', async () => {
  const { port } = new URL(ingest().url);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', chunk => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.write(
      'POST /v1/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 40\r\n\r\n' +
        '{}GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
    );
  });
  expect(answer).not.toContain('alive');
  expect((await send(`${ingest().url}/healthz`, { method: 'GET' })).status).toBe(200);
});
