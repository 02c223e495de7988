import { beforeAll, describe, expect, test } from 'vitest';
import { eventOf, newMessageId, type Texts } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvent } from '../harness/stored-events.ts';
import type { Tenant } from '../harness/tenant.ts';
import type { EventRow } from '../harness/warehouse.ts';

const SKEW_TOLERATED_MS = 5 * 60 * 1000;

const ingest = useSharedIngest();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await liveTenant(ingest());
});

async function stored(fields: Texts, envelope: Texts = {}): Promise<EventRow> {
  const messageId = newMessageId();
  const event = eventOf(messageId, fields);
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [event], envelope), 1);
  return storedEvent(tenant.workspaceId, messageId);
}

describe.concurrent('times', () => {
  test.for([
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z', ''],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z', undefined],
    ['2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.600Z', undefined],
    ['2026-01-02T03:04:05.678912345Z', '2026-01-02T03:04:05.678Z', undefined],
    ['2026-01-02T03:04:05.678', '2026-01-02T03:04:05.678Z', undefined],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z', undefined],
    ['2026-01-02T03:04:05+05:30', '2026-01-01T21:34:05.000Z', undefined],
    ['2026-01-02T03:04:05.100-08:00', '2026-01-02T11:04:05.100Z', undefined],
    ['2026-01-02T03:04:05+00:00', '2026-01-02T03:04:05.000Z', undefined],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z', ''],
    ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', ''],
    ['1970-12-31T23:59:59.999Z', '1970-12-31T23:59:59.999Z', ''],
    ['2105-12-31T23:59:59.999Z', '2105-12-31T23:59:59.999Z', ''],
  ] as const)('timestamp %s', async ([sent, timestamp, text]) => {
    const row = await stored({ timestamp: JSON.stringify(sent) });
    expect(row).toMatchObject({ timestamp, timestamp_text: text ?? sent });
  });

  test.for([
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z', ''],
    ['2026-01-02T03:04:05+05:30', '2026-01-01T21:34:05.000Z', undefined],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z', undefined],
    ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', ''],
    ['2105-12-31T23:59:59.999Z', '2105-12-31T23:59:59.999Z', ''],
  ] as const)('sentAt %s', async ([sent, sentAt, text]) => {
    const row = await stored({}, { sentAt: JSON.stringify(sent) });
    expect(row).toMatchObject({ sent_at: sentAt, sent_at_text: text ?? sent });
  });

  test.for([
    ['an hour slow', -3_600_000],
    ['six minutes slow', -360_000],
    ['an hour fast', 3_600_000],
    ['six minutes fast', 360_000],
    ['three days slow', -3 * 86_400_000],
  ] as const)('a clock %s is corrected', async ([, offsetMs]) => {
    const clockMs = Date.now() + offsetMs;
    const timestamp = new Date(clockMs - 2_500).toISOString();
    const row = await stored(
      { timestamp: JSON.stringify(timestamp) },
      { sentAt: JSON.stringify(new Date(clockMs).toISOString()) },
    );
    const skewMs = Date.parse(row.received_at) - Date.parse(row.sent_at);
    expect(Math.abs(skewMs)).toBeGreaterThan(SKEW_TOLERATED_MS);
    expect(row.timestamp).toBe(timestamp);
    expect(Date.parse(row.corrected_at)).toBe(Date.parse(timestamp) + skewMs);
  });

  test.for([
    ['as it should be', 0],
    ['four minutes slow', -240_000],
    ['four minutes fast', 240_000],
  ] as const)('a clock %s is not corrected', async ([, offsetMs]) => {
    const clockMs = Date.now() + offsetMs;
    const timestamp = new Date(clockMs - 86_400_000).toISOString();
    const row = await stored(
      { timestamp: JSON.stringify(timestamp) },
      { sentAt: JSON.stringify(new Date(clockMs).toISOString()) },
    );
    expect(row.corrected_at).toBe(timestamp);
  });

  test.for([
    ['1970-01-01T00:00:00.000Z', '2105-12-31T23:59:59.999Z'],
    ['2105-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z'],
  ] as const)('timestamp %s and sentAt %s', async ([timestamp, sentAt]) => {
    const row = await stored(
      { timestamp: JSON.stringify(timestamp) },
      { sentAt: JSON.stringify(sentAt) },
    );
    expect(row).toMatchObject({ timestamp, sent_at: sentAt });
    expect(Date.parse(row.corrected_at)).not.toBeNaN();
  });
});
