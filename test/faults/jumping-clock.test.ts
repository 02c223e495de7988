// The wall clock jumps by hours or days in either direction, to before the spool's data or into
// another year, or stops. Meanwhile events are accepted and delivered once. Their received time is
// taken from the server's clock, their timestamps from the client's.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { EACH_ONCE, sharedWarehouse, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { startIngest } from '../harness/ingest-process.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { CLOCK_VARIABLE, type ClockSetting } from './shifted-clock.ts';
import { logDirectory, segmentPaths } from './spool-files.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SKEW_TOLERATED_MS = 5 * 60_000;
const EVENTS_PER_BATCH = 5;
const CAP_PER_MINUTE = 20;

const EPOCH = Date.now();
const SETTINGS: readonly ClockSetting[] = [
  { shiftMs: HOUR_MS },
  { shiftMs: -HOUR_MS },
  { shiftMs: DAY_MS },
  { shiftMs: -DAY_MS },
  { frozenAtMs: EPOCH },
  // Simulates the leap second of 2016 on clocks that repeated it.
  { frozenAtMs: Date.UTC(2016, 11, 31, 23, 59, 59, 999) },
  { shiftMs: 20 * 365 * DAY_MS },
  { shiftMs: 0 },
];

type Stored = {
  readonly message_id: string;
  readonly timestamp: string;
  readonly received_at: string;
  readonly corrected_at: string;
  readonly sent_at: string;
};

test('events are accepted, sealed and delivered in order, for any clock', async ({
  onTestFinished,
  onTestFailed,
}) => {
  const clockFile = join(await newDirectory('clock'), 'clock.json');
  const preload = new URL('./shifted-clock.ts', import.meta.url).href;
  const env = { NODE_OPTIONS: `--import=${preload}`, [CLOCK_VARIABLE]: clockFile };
  const ingest = await startIngest({ threads: 1, env });
  onTestFinished(async () => void (await ingest.kill9()));
  onTestFailed(() => void process.stderr.write(`ingest of a failed test:\n${ingest.logs()}\n`));
  const tenant = await liveTenant(ingest, { eventsPerMinute: CAP_PER_MINUTE });
  const happenedAt = new Date(Date.UTC(2026, 4, 1, 12)).toISOString();
  const sentAtMs = Date.UTC(2026, 4, 1, 12, 0, 1);
  const ids = new Map<string, ClockSetting>();
  const sequences: number[] = [];

  const sendUnder = async (setting: ClockSetting) => {
    await writeFile(clockFile, JSON.stringify(setting));
    const batch = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
    const events = batch.map(id => eventOf(id, { timestamp: JSON.stringify(happenedAt) }));
    const sentAt = JSON.stringify(new Date(sentAtMs).toISOString());
    await eventually(async () =>
      expectAccepted(await postEvents(ingest, tenant.writeKey, events, { sentAt }), batch.length),
    );
    for (const id of batch) ids.set(id, setting);
  };
  const noteSequences = async () => {
    for (const path of await segmentPaths(logDirectory(ingest))) {
      const sequence = Number(/(\d+)\.segment$/.exec(path)![1]);
      if (!sequences.includes(sequence)) sequences.push(sequence);
    }
  };

  for (const setting of SETTINGS) {
    await sendUnder(setting);
    await noteSequences();
    // Sealing uses the monotonic clock: a segment is sealed and sent about a second after its first
    // row.
    if (isExtreme(setting)) await untilDrained(ingest);
  }
  // Restarts under a clock that is behind all stored data.
  await sendUnder({ shiftMs: 0 });
  await ingest.kill9();
  await writeFile(clockFile, JSON.stringify({ shiftMs: -2 * DAY_MS }));
  await ingest.restart();
  await sendUnder({ shiftMs: -2 * DAY_MS });
  await noteSequences();
  await untilDrained(ingest);

  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  const { workspaceId } = tenant;
  expect(await tally(sharedWarehouse, 'events', workspaceId, ids.keys())).toEqual(EACH_ONCE);
  const stored = await sharedWarehouse.rows<Stored>(
    `SELECT message_id, timestamp, received_at, corrected_at, sent_at FROM events
     WHERE workspace_id = {workspaceId:UUID}`,
    { workspaceId },
  );
  for (const row of stored) {
    expect(row.timestamp).toBe(happenedAt);
    const receivedAtMs = Date.parse(row.received_at);
    expectAsTheClockSaid(receivedAtMs, ids.get(row.message_id)!);
    const skewMs = receivedAtMs - sentAtMs;
    const correctionMs = Math.abs(skewMs) > SKEW_TOLERATED_MS ? skewMs : 0;
    expect(Date.parse(row.corrected_at)).toBe(Date.parse(happenedAt) + correctionMs);
  }
});

/** A stopped clock, or a large offset: code that waits for the wall clock would wait forever. */
function isExtreme(setting: ClockSetting): boolean {
  return 'frozenAtMs' in setting || Math.abs(setting.shiftMs) >= 365 * DAY_MS;
}

function expectAsTheClockSaid(receivedAtMs: number, setting: ClockSetting): void {
  if ('frozenAtMs' in setting) {
    expect(receivedAtMs).toBe(setting.frozenAtMs);
    return;
  }
  const shiftedMs = receivedAtMs - setting.shiftMs;
  expect(shiftedMs).toBeGreaterThanOrEqual(EPOCH);
  expect(shiftedMs).toBeLessThanOrEqual(Date.now());
}
