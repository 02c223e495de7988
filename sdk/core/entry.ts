import type { ReportPath } from './client-host.ts';
import type { Ids } from './ids.ts';

/** One event or report as it waits to be sent. */
export type Entry = {
  /** Unique, and sorts by the time of its creation. */
  readonly key: string;
  readonly path: '/v1/batch' | ReportPath;
  /** Its JSON, which is the same each time that it is sent. */
  readonly text: string;
  /** Of the text, as UTF-8. */
  readonly bytes: number;
  readonly atMs: number;
};

/** More than any device makes in a millisecond. */
const ENTRIES_PER_MS = 1024;

/** Throws if the value has no JSON, because of a circle or a BigInt. */
export function createEntry(
  path: Entry['path'],
  value: Readonly<Record<string, unknown>>,
  { nowMs, newId, nextNumber }: Ids,
): Entry {
  const text = JSON.stringify(value);
  const atMs = nowMs();
  // Ten digits for the next fifty years.
  const time = (atMs * ENTRIES_PER_MS + (nextNumber() % ENTRIES_PER_MS)).toString(36);
  const bytes = new TextEncoder().encode(text).length;
  return { key: `${time}-${newId()}`, path, text, bytes, atMs };
}
