import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { liveTenant } from '../../harness/batch-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { expectSuccess, IN_APP_EVENTS, postJson, reportOf } from '../../harness/in-app.ts';
import { useIngest } from '../../harness/ingest-process.ts';
import { metrics, sumOf } from '../../harness/metrics.ts';
import { sql } from '../../harness/tenant.ts';

const ingest = useIngest({ threads: 1 });

/** An ID of the maximum length that does not compress: four bytes per character, at random. */
function longestId(): string {
  const points = Array.from(randomBytes(1024), (byte, i) => (i % 2 === 0 ? byte : byte & 0x3f));
  return Array.from({ length: 512 }, (_, i) =>
    String.fromCodePoint(0x20000 + points[i * 2]! + points[i * 2 + 1]! * 256),
  ).join('');
}

test('a row too large for an index is refused and counted, and does not block others', async () => {
  const tenant = await liveTenant(ingest());
  const report = async (fields: Record<string, string>) =>
    expectSuccess(await postJson(ingest(), tenant, IN_APP_EVENTS, reportOf(fields)));
  await report({ user_id: longestId(), campaign_id: longestId() });
  for (let i = 0; i < 20; i++) await report({ user_id: `u-${i}`, idempotency_key: `k-${i}` });
  await eventually(async () => {
    const [{ found } = {}] = await sql(
      'SELECT count(*)::int AS found FROM exposures WHERE workspace_id = $1',
      [tenant.workspaceId],
    );
    expect(found).toBe(20);
  });
  const refused = sumOf(await metrics(ingest()), /^ingest_outbox_rows_refused_total$/, {
    table: 'outbox_exposures',
  });
  expect(refused).toBe(1);
});
