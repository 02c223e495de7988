// Checks that every acknowledged event is in ClickHouse once.

import { setTimeout as wait } from 'node:timers/promises';
import { ID_DIGITS } from './bodies.ts';
import type { Engines } from './engines.ts';
import type { Server } from './servers.ts';

export type Expected = {
  readonly least: number;
  readonly most: number;
  /** The beginnings of the message IDs that may be stored without having been acknowledged. */
  readonly doubtfulIds?: readonly string[];
};

const LOOK_MS = 50;
/** No new row in this time means that no more will arrive. */
const PATIENCE_MS = 90_000;

/** Resolves when as many rows as were acknowledged can be read. */
export async function untilStored(
  engines: Engines,
  server: Server,
  least: number,
  signal: AbortSignal,
): Promise<void> {
  if (server.table === undefined) return;
  let found = -1;
  for (let sinceMs = performance.now(); found < least; await wait(LOOK_MS)) {
    signal.throwIfAborted();
    const now = await storedRows(engines, server);
    if (now !== found) sinceMs = performance.now();
    found = now;
    if (performance.now() - sinceMs > PATIENCE_MS)
      throw new Error(
        `Lost events: only ${found} of ${least} acknowledged events are in ${server.table}.`,
      );
  }
}

/** The number of rows stored so far. */
export async function storedRows({ ask }: Engines, { table }: Server): Promise<number> {
  return table === undefined ? 0 : Number(await ask(`SELECT count() FROM ${table}`));
}

/** Throws unless exactly the acknowledged rows are stored, each once. */
export async function checkStored(
  { ask }: Pick<Engines, 'ask'>,
  { table, view }: Pick<Server, 'table' | 'view'>,
  { least, most, doubtfulIds = [] }: Expected,
): Promise<void> {
  if (table === undefined) return;
  const [copies, once] = await Promise.all(
    [table, view].map(async name => Number(await ask(`SELECT count() FROM ${name}`))),
  );
  if (copies! > most || once! < least || once! > most)
    throw new Error(
      `${least} events were acknowledged and at most ${most} sent; ` +
        `${copies} are in ${table}, ${once} in ${view}.`,
    );
  if (doubtfulIds.length === 0) return;
  const doubtful = await storedWith(ask, view!, doubtfulIds);
  if (once! - doubtful !== least)
    throw new Error(
      `${least} events were acknowledged; ${once! - doubtful} of them are in ${view}, ` +
        `together with ${doubtful} events of failed requests.`,
    );
}

/** A query of ClickHouse has at most 256 KB. */
const IDS_PER_QUESTION = 10_000;

/** The number of rows whose message IDs begin with one of these digits. */
async function storedWith(
  ask: Engines['ask'],
  view: string,
  ids: readonly string[],
): Promise<number> {
  let found = 0;
  for (let start = 0; start < ids.length; start += IDS_PER_QUESTION) {
    const some = ids.slice(start, start + IDS_PER_QUESTION).map(id => `'${id}'`);
    const sql = `SELECT count() FROM ${view} WHERE substring(message_id, 1, ${ID_DIGITS}) IN (${some.join()})`;
    found += Number(await ask(sql));
  }
  return found;
}

/** For ingest: waits until its spool or the log has delivered all other data. */
export async function untilSent({ metrics }: Server, signal: AbortSignal): Promise<void> {
  const endsMs = performance.now() + PATIENCE_MS;
  for (;;) {
    signal.throwIfAborted();
    const { unsentBytes = 0, unsentRecords = 0 } = (await metrics()) ?? {};
    if (unsentBytes + unsentRecords === 0) return;
    if (performance.now() > endsMs)
      throw new Error(
        `${unsentBytes} bytes are left in the spool, and ${unsentRecords} records in the log.`,
      );
    await wait(LOOK_MS);
  }
}
