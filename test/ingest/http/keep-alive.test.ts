// A connection stays open after any response. A proxy shares its connections among clients: if an
// error response closed one, another client's request would fail.

import { describe, expect, test } from 'vitest';
import { keepAlive, send } from '../../harness/http.ts';
import { useSharedIngest } from '../../harness/ingest-process.ts';

const ingest = useSharedIngest();

const FIRST = [
  ['HEAD', '/healthz', 200],
  ['HEAD', '/v1/openapi.json', 200],
  ['HEAD', '/v1/in-app/active', 405],
  ['HEAD', '/nothing', 404],
  ['GET', '/v1/in-app/active', 401],
  ['OPTIONS', '/v1/push/engagement', 204],
  ['DELETE', '/v1/devices/register', 405],
] as const;

describe('a connection can be reused', () => {
  test.for(FIRST)('after %s %s', async ([method, path, status]) => {
    const agent = keepAlive(1);
    try {
      const first = await send(`${ingest().url}${path}`, { method, agent });
      expect(first.status).toBe(status);
      if (method === 'HEAD') {
        expect(first.text).toBe('');
        expect(Number(first.headers['content-length'])).toBeGreaterThan(0);
      }
      for (let further = 0; further < 2; further++)
        expect((await send(`${ingest().url}/healthz`, { method: 'GET', agent })).status).toBe(200);
    } finally {
      agent.destroy();
    }
  });
});
