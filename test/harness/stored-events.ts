// Waits for events to be stored. The tests of a file run concurrently, and planning a query of the
// view `events` takes ClickHouse ten times as long as reading its rows. So the tests of a process
// share their queries: one query reads the events of all waiting tests.

import { expect } from 'vitest';
import { type EventRow, rows } from './warehouse.ts';

const DEADLINE_MS = 240_000;
/** Ingest inserts about once a second, so a shorter interval would find nothing more. */
const INTERVAL_MS = 250;
/** Message IDs are parameters in the URL of a query, whose length is limited. */
const MESSAGE_IDS_BYTES_MAX = 64 * 1024;

type Waiter = {
  readonly workspaceId: string;
  readonly messageIds: readonly string[];
  readonly endMs: number;
  resolve(events: EventRow[]): void;
  reject(reason: unknown): void;
};

const waiters = new Set<Waiter>();
let isLooking = false;

/**
 * Waits until all given events are stored and returns their rows in this order; throws for
 * duplicates.
 */
export function storedEvents(
  workspaceId: string,
  messageIds: readonly string[],
): Promise<EventRow[]> {
  return new Promise((resolve, reject) => {
    const endMs = performance.now() + DEADLINE_MS;
    waiters.add({ workspaceId, messageIds, endMs, resolve, reject });
    if (!isLooking) void lookWhileAnyoneWaits();
  });
}

export async function storedEvent(workspaceId: string, messageId: string): Promise<EventRow> {
  return (await storedEvents(workspaceId, [messageId]))[0]!;
}

async function lookWhileAnyoneWaits(): Promise<void> {
  isLooking = true;
  while (waiters.size > 0) {
    for (const group of groupsOf([...waiters])) await look(group);
    if (waiters.size > 0) await new Promise(resolve => setTimeout(resolve, INTERVAL_MS));
  }
  isLooking = false;
}

/** Never rejects: a failure is that of the tests in the group, at their deadlines. */
async function look(group: readonly Waiter[]): Promise<void> {
  try {
    const insertedOf = byWorkspace(await ask<Asked>(INSERTED, group));
    const complete = group.filter(waiter =>
      check(waiter, () => {
        const inserted = insertedOf(waiter).map(row => row.message_id);
        expect(inserted.sort()).toEqual([...new Set(waiter.messageIds)].sort());
      }),
    );
    if (complete.length === 0) return;
    const shownOf = byWorkspace(await ask<EventRow>(SHOWN, complete));
    for (const waiter of complete) {
      const { messageIds } = waiter;
      const shown = shownOf(waiter);
      const isShown = check(waiter, () =>
        expect(shown.map(row => row.message_id).sort()).toEqual([...messageIds].sort()),
      );
      if (!isShown) continue;
      waiters.delete(waiter);
      waiter.resolve(messageIds.map(id => shown.find(row => row.message_id === id)!));
    }
  } catch (error) {
    for (const waiter of group) failAtDeadline(waiter, error);
  }
}

function check(waiter: Waiter, expectation: () => void): boolean {
  try {
    expectation();
    return true;
  } catch (error) {
    failAtDeadline(waiter, error);
    return false;
  }
}

function failAtDeadline(waiter: Waiter, error: unknown): void {
  if (performance.now() < waiter.endMs) return;
  waiters.delete(waiter);
  waiter.reject(error);
}

type Asked = Pick<EventRow, 'workspace_id' | 'message_id'>;

const IS_ASKED =
  'workspace_id IN {workspaceIds:Array(UUID)} AND message_id IN {messageIds:Array(String)}';
const INSERTED = ['events_raw', 'events_late']
  .map(table => `SELECT workspace_id, message_id FROM ${table} WHERE ${IS_ASKED}`)
  .join(' UNION DISTINCT ');
const SHOWN = `SELECT * FROM events WHERE ${IS_ASKED}`;

/** May also return events of other tests: two workspaces can have events with the same ID. */
function ask<Row extends Asked>(query: string, group: readonly Waiter[]): Promise<Row[]> {
  return rows<Row>(query, {
    workspaceIds: [...new Set(group.map(({ workspaceId }) => workspaceId))],
    messageIds: [...new Set(group.flatMap(({ messageIds }) => messageIds))],
  });
}

/** Returns the rows that a test asked for. */
function byWorkspace<Row extends Asked>(found: readonly Row[]): (waiter: Waiter) => Row[] {
  const known = Map.groupBy(found, row => row.workspace_id);
  return ({ workspaceId, messageIds }) => {
    const asked = new Set(messageIds);
    return (known.get(workspaceId) ?? []).filter(row => asked.has(row.message_id));
  };
}

function groupsOf(all: readonly Waiter[]): Waiter[][] {
  const groups: Waiter[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const waiter of all) {
    const own = waiter.messageIds.reduce((sum, id) => sum + Buffer.byteLength(id), 0);
    bytes += own;
    if (bytes <= MESSAGE_IDS_BYTES_MAX) {
      groups.at(-1)!.push(waiter);
      continue;
    }
    groups.push([waiter]);
    bytes = own;
  }
  return groups;
}
