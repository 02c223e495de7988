import { beforeAll, describe, expect, test } from 'vitest';
import {
  BODY_BYTES_MAX,
  batchOfBytes,
  batchText,
  eventText,
  newMessageId,
} from '../harness/batch.ts';
import {
  expectAccepted,
  expectProblem,
  JSON_TYPE,
  liveTenant,
  post,
} from '../harness/batch-client.ts';
import { compress, ENCODINGS, keepAlive, send } from '../harness/http.ts';
import { useIngest } from '../harness/ingest-process.ts';
import { residentBytes } from '../harness/resident-bytes.ts';
import type { Tenant } from '../harness/tenant.ts';

const MiB = 1024 * 1024;

const ingest = useIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

const tooLarge = () => batchOfBytes(tenant.writeKey, newMessageId(), BODY_BYTES_MAX + 1);

describe.concurrent('PAYLOAD_TOO_LARGE', () => {
  test('512,001 bytes with a length', async () => {
    expectProblem(await post(ingest(), tooLarge()), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('512,001 bytes in chunks, without a length', async () => {
    const body = Buffer.from(tooLarge());
    const chunks = [
      body.subarray(0, 300_000),
      body.subarray(300_000, 512_000),
      body.subarray(512_000),
    ];
    const answer = await send(`${ingest().url}/v1/batch`, { headers: JSON_TYPE, chunks });
    expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  test.for(ENCODINGS)('512,001 bytes as %s', async encoding => {
    const headers = { 'content-encoding': encoding };
    const answer = await post(ingest(), compress(encoding, tooLarge()), { headers });
    expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  test('white space counts', async () => {
    const body = `${batchText(tenant.writeKey, [eventText()])}${' '.repeat(BODY_BYTES_MAX)}`;
    expectProblem(await post(ingest(), body), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('a body that is too large is not parsed', async () => {
    expectProblem(await post(ingest(), 'x'.repeat(600_000)), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('a declared length of 50 GiB is refused immediately, by a response or a closed connection', async () => {
    const headers = { ...JSON_TYPE, 'content-length': String(50 * 1024 * MiB) };
    const chunks = [Buffer.from('{')];
    const answer = await send(`${ingest().url}/v1/batch`, { headers, chunks }).catch(
      (error: Error) => error,
    );
    if (answer instanceof Error) expect(answer.message).not.toContain('no answer');
    else expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  test('32 MiB are refused even if the client reads the response only at the end', async () => {
    // Such a client receives the response only if the server keeps reading, or closes the
    // connection without a reset.
    const answer = await post(ingest(), Buffer.alloc(32 * MiB, 0x20)).catch(
      (error: Error) => error,
    );
    if (!(answer instanceof Error)) expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
    expectAccepted(await post(ingest(), batchText(tenant.writeKey, [eventText()])), 1);
  });
});

describe('bombs', () => {
  test.for(ENCODINGS)('64 MiB of zeros as %s', async encoding => {
    const bomb = compress(encoding, Buffer.alloc(64 * MiB, 0x20));
    expect(bomb.length).toBeLessThan(BODY_BYTES_MAX);
    const before = residentBytes(ingest().pid);
    const headers = { 'content-encoding': encoding };
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => post(ingest(), bomb, { headers })),
    );
    for (const answer of answers) expectProblem(answer, 413, 'PAYLOAD_TOO_LARGE');
    // Sixteen times 64 MiB would be 1 GiB.
    expect(residentBytes(ingest().pid) - before).toBeLessThan(256 * MiB);
  });

  test('2 MiB of compressed data that would expand to much more', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const member = compress('gzip', Buffer.alloc(64 * MiB, 0x20));
    const bomb = Buffer.concat(Array.from({ length: 32 }, () => member));
    expect(bomb.length).toBeGreaterThan(2 * MiB - BODY_BYTES_MAX);
    expectProblem(await post(ingest(), bomb, { headers }), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('a compressed stream inside a compressed stream is decompressed only once', async () => {
    const inner = compress('gzip', batchText(tenant.writeKey, [eventText()]));
    const headers = { 'content-encoding': 'gzip' };
    const answer = await post(ingest(), compress('gzip', inner), { headers });
    expectProblem(answer, 400, 'MALFORMED_JSON');
  });
});

test('a refused body does not affect later requests on its connection', async () => {
  const agent = keepAlive(1);
  const body = batchText(tenant.writeKey, [eventText()]);
  for (let i = 0; i < 5; i++) {
    const refused = await post(ingest(), tooLarge(), { agent });
    expectProblem(refused, 413, 'PAYLOAD_TOO_LARGE');
    expectAccepted(await post(ingest(), body, { agent }), 1);
  }
  agent.destroy();
});
