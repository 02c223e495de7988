// Replays recorded requests of other vendors' published clients: each of their calls is stored
// once.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type RecordedRequest, readCorpus, WRITE_KEY_PLACE } from '../../clients/corpus.ts';
import { expectCalls } from '../../clients/expect-calls.ts';
import { liveTenant } from '../../harness/batch-client.ts';
import { type Answer, send } from '../../harness/http.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';

const ingest = useSharedIngest();
const corpus = await readCorpus();

test('there are recordings', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(15);
});

test.concurrent.for(corpus)('$client $version', async ({ requests, kinds }) => {
  const { writeKey, workspaceId } = await liveTenant(ingest(), { accepts: 'COMPATIBLE' });
  for (const request of requests) {
    // Sent twice, like a client that lost the first response.
    for (const answer of [await replay(request, writeKey), await replay(request, writeKey)])
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  }
  await expectCalls(workspaceId, kinds);
});

function replay(request: RecordedRequest, writeKey: string): Promise<Answer> {
  const { method, path, headers, hasBasicAuth, isGzip } = request;
  const text = request.body.replaceAll(WRITE_KEY_PLACE, writeKey);
  const body = isGzip || headers['content-encoding'] === 'gzip' ? gzipSync(text) : text;
  const basic = Buffer.from(`${writeKey}:`).toString('base64');
  return send(`${ingest().url}${path.replaceAll(WRITE_KEY_PLACE, writeKey)}`, {
    method,
    headers: { ...headers, ...(hasBasicAuth ? { authorization: `Basic ${basic}` } : {}) },
    ...(method === 'GET' ? {} : { body }),
  });
}
