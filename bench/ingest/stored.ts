// Checks that every acknowledged event is in ClickHouse once.

import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from './engines.ts';
import type { Server } from './servers.ts';

export type Expected = { readonly least: number; readonly most: number };

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
  { least, most }: Expected,
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
}

/** For ingest: waits until its spool has delivered all other data. */
export async function untilSent({ metrics }: Server, signal: AbortSignal): Promise<void> {
  const endsMs = performance.now() + PATIENCE_MS;
  for (;;) {
    signal.throwIfAborted();
    const unsent = (await metrics())?.unsentBytes ?? 0;
    if (unsent === 0) return;
    if (performance.now() > endsMs) throw new Error(`${unsent} bytes are left in the spool.`);
    await wait(LOOK_MS);
  }
}
