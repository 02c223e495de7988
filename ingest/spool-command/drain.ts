// Drains the spool of a node that is to be removed: the node refuses all events, delivers the rest,
// and the command ends when nothing is waiting.

import {
  type DrainState,
  drainFile,
  readDrainState,
  requestDrain,
} from '../spool/drain-request.ts';
import type { FileSystem } from '../spool/file-system.ts';
import { listSpool } from './list.ts';

export type Waiting = {
  readonly state: DrainState;
  /** Segments that ClickHouse or Postgres does not have yet. */
  readonly segments: number;
  readonly bytes: number;
};

export type Drained = {
  /** The file that keeps the node from accepting events. */
  readonly request: string;
  /** Delivered segments, which are retained for half an hour. */
  readonly keptSegments: number;
  /** Files that only an operator can remove, as `<cell>/<thread>/<name>`. */
  readonly quarantined: readonly string[];
};

type DrainOptions = {
  readonly fs: FileSystem;
  /** The directory of the node, and its spool. */
  readonly ingest: string;
  readonly spool: string;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Called whenever something has changed. */
  readonly onProgress: (waiting: Waiting) => void;
};

const LOOK_INTERVAL_MS = 500;

/** Resolves when the node refuses all events and none is waiting. */
export async function drainSpool(options: DrainOptions): Promise<Drained> {
  const { fs, ingest, spool, sleep, onProgress } = options;
  await requestDrain(fs, ingest);
  let told = '';
  for (;;) {
    // In this order: no row is added after the confirmation.
    const state = await readDrainState(fs, ingest);
    const logs = await listSpool(fs, spool);
    const segments = logs.reduce((sum, { waiting }) => sum + waiting.segments, 0);
    const bytes = logs.reduce((sum, { waiting }) => sum + waiting.bytes, 0);
    if (state === 'confirmed' && segments === 0)
      return {
        request: drainFile(ingest),
        keptSegments: logs.reduce((sum, { kept }) => sum + kept.segments, 0),
        quarantined: logs.flatMap(({ quarantined }) => quarantined.map(({ file }) => file)),
      };
    const progress = { state, segments, bytes };
    if (JSON.stringify(progress) !== told) onProgress(progress);
    told = JSON.stringify(progress);
    await sleep(LOOK_INTERVAL_MS);
  }
}
