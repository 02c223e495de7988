import { expect, test } from 'vitest';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';

const ingest = useSharedIngest();

test.each(['POST', 'PUT', 'DELETE', 'HEAD'])('%s', async method => {
  const tenant = await liveTenant(ingest());
  const headers = { 'x-service-write-key': tenant.writeKey };
  const answer = await send(`${ingest().url}/v1/in-app/active`, { method, headers });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toBe('GET, OPTIONS');
  if (method !== 'HEAD') expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
});
