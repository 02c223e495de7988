// events_stitched assigns the events of a device to the person who was identified on it.

import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { rows, warehouse } from '../harness/warehouse.ts';

const DAY_MS = 86_400_000;

type Sent = {
  readonly daysAgo: number;
  readonly type?: string;
  readonly [column: string]: unknown;
};

async function insert(workspace_id: string, sent: readonly Sent[]): Promise<void> {
  const at = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, -1);
  await warehouse().insert({
    table: 'events_raw',
    format: 'JSONEachRow',
    values: sent.map(({ daysAgo, type = 'track', ...columns }, n) => ({
      workspace_id,
      type,
      message_id: `${n}`,
      timestamp: at(daysAgo),
      received_at: at(daysAgo),
      ...columns,
    })),
  });
}

test('an anonymous event belongs to the person identified last on the device', async () => {
  const [workspace, other] = [uuidv7(), uuidv7()];
  const identify = { type: 'identify', event: '' };
  await insert(workspace, [
    { event: 'before', daysAgo: 40, anonymous_id: 'phone' },
    { ...identify, daysAgo: 30, anonymous_id: 'phone', user_id: 'Ada' },
    { event: 'signed in', daysAgo: 0.2, anonymous_id: 'phone', user_id: 'Ada' },
    { event: 'signed out', daysAgo: 0.1, anonymous_id: 'phone' },
    // A tablet that was sold: its anonymous events belong to its latest user; identified ones are
    // unchanged.
    { ...identify, daysAgo: 20, anonymous_id: 'tablet', user_id: 'Ada' },
    { ...identify, daysAgo: 10, anonymous_id: 'tablet', user_id: 'Bob' },
    { event: 'of Ada', daysAgo: 15, anonymous_id: 'tablet', user_id: 'Ada' },
    { event: 'of nobody', daysAgo: 15, anonymous_id: 'tablet' },
    { event: 'never identified', daysAgo: 1, anonymous_id: 'kiosk' },
    // Only identify links a device to a person: a server may send any pair of IDs.
    { event: 'by a server', daysAgo: 1, anonymous_id: 'kiosk', user_id: 'Eve' },
    { event: 'without a device', daysAgo: 1, user_id: 'Ada' },
  ]);
  await insert(other, [{ ...identify, daysAgo: 1, anonymous_id: 'kiosk', user_id: 'Mallory' }]);
  // A resent event is not counted twice.
  await insert(workspace, [{ event: 'before', daysAgo: 40, anonymous_id: 'phone' }]);
  const stitched = await rows<{ event: string; stitched_id: string }>(
    `SELECT event, stitched_id FROM events_stitched
     WHERE workspace_id = {workspace:UUID} AND event != '' ORDER BY event`,
    { workspace },
  );
  expect(stitched.map(({ event, stitched_id }) => [event, stitched_id])).toEqual([
    ['before', 'Ada'],
    ['by a server', 'Eve'],
    ['never identified', 'kiosk'],
    ['of Ada', 'Ada'],
    ['of nobody', 'Bob'],
    ['signed in', 'Ada'],
    ['signed out', 'Ada'],
    ['without a device', 'Ada'],
  ]);
  const devices = await rows(
    `SELECT anonymous_id, user_id FROM identified_devices WHERE workspace_id = {workspace:UUID} ORDER BY 1`,
    { workspace },
  );
  expect(devices).toEqual([
    { anonymous_id: 'phone', user_id: 'Ada' },
    { anonymous_id: 'tablet', user_id: 'Bob' },
  ]);
});
