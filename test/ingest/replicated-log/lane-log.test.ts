// How rows are collected into records.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RECORD_BYTES_WORTHWHILE, RECORD_INTERVAL_MS } from '../../../ingest/limits.ts';
import { LaneLog } from '../../../ingest/replicated-log/lane-log.ts';
import { readRecord } from '../../../ingest/replicated-log/record.ts';
import { warehouseTable } from '../../../schema/rows/table.ts';
import { VirtualClock } from '../../simulator/virtual-clock.ts';

const TABLE = warehouseTable(200, 'notes', { note: 'String' });

function openLog() {
  const clock = new VirtualClock();
  const sent: number[] = [];
  let ids = 0;
  const log = new LaneLog({
    lane: {
      isConnected: true,
      send: async value => {
        sent.push(readRecord(value).frames.reduce((sum, { rows }) => sum + rows, 0));
      },
      close: async () => undefined,
    },
    clock,
    newId: () => `0197a0c2-0000-7000-8000-${String(ids++).padStart(12, '0')}`,
    onCommit: () => undefined,
  });
  const commitOne = (note = 'a') => {
    log.appendRows(TABLE, 2026, 1, (writer, idBytes, row) => {
      writer.text(note);
      writer.uuid(idBytes);
      writer.uint32(row);
    });
    return log.commit();
  };
  return { clock, sent, commitOne };
}

test('a request after a pause is sent at once, and those after it share a record', async () => {
  const { clock, sent, commitOne } = openLog();
  await commitOne();
  const later = [commitOne()];
  await turn();
  later.push(commitOne());
  await turn();
  expect(sent).toEqual([1]);
  clock.advance(RECORD_INTERVAL_MS);
  await Promise.all(later);
  expect(sent).toEqual([1, 2]);
  clock.advance(RECORD_INTERVAL_MS);
  await commitOne();
  expect(sent).toEqual([1, 2, 1]);
});

test('a full record does not wait', async () => {
  const { sent, commitOne } = openLog();
  await commitOne();
  const small = commitOne();
  await turn();
  const large = commitOne('b'.repeat(RECORD_BYTES_WORTHWHILE));
  await Promise.all([small, large]);
  expect(sent).toEqual([1, 2]);
});
