import type { ReportPath } from './client-host.ts';
import type { Ids } from './ids.ts';

/** An event or report that is waiting to be sent. */
export type Entry = {
  /** Unique, and sorted by the time of creation. */
  readonly key: string;
  readonly path: '/v1/batch' | ReportPath;
  /** The JSON text, which is the same on each attempt. */
  readonly text: string;
  /** The size of the text in UTF-8. */
  readonly bytes: number;
  readonly atMs: number;
};

/** More than any device creates in a millisecond. */
const ENTRIES_PER_MS = 1024;

/** Throws if the value cannot be serialized, because of a circular reference or a BigInt. */
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
