import { beforeAll, describe, expect, test } from 'vitest';
import { batchText, eventText } from '../harness/batch.ts';
import { expectProblem, JSON_TYPE, liveTenant } from '../harness/batch-client.ts';
import { send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import type { Tenant } from '../harness/tenant.ts';

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

describe.concurrent('NOT_FOUND', () => {
  test.for(['/', '/v1', '/v1/batches', '/v1/batch/1', '/V1/BATCH', '/v2/batch', '//v1/batch'])(
    '%s is another path',
    async path => {
      const body = batchText(tenant.writeKey, [eventText()]);
      const answer = await send(`${ingest().url}${path}`, { headers: JSON_TYPE, body });
      expectProblem(answer, 404, 'NOT_FOUND');
    },
  );

  test('a path is not repeated in the response', async () => {
    const answer = await send(`${ingest().url}/%3Cscript%3Ealert(1)%3C/script%3E`);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('script');
  });
});
