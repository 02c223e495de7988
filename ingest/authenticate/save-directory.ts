// Writes the directory to disk when it changes, and now and then to renew its age. In the background,
// one write at a time, so that a slow disk does not delay the next look at Postgres.

import { type Log, messageOf } from '../postgres/postgres-link.ts';
import type { DirectoryData } from './directory-data.ts';
import { type DirectorySnapshot, writeSnapshot } from './directory-snapshot.ts';

type DirectorySaverOptions = {
  readonly snapshotPath: string;
  readonly clock: { nowMs(): number };
  readonly log: Log;
};

export class DirectorySaver {
  readonly #options: DirectorySaverOptions;
  #latest: DirectorySnapshot | undefined;
  /** Undefined if the directory has changed since the last write started. */
  #savedAtMs: number | undefined;
  #saving: Promise<void> | undefined;
  /** No write starts before this time of the monotonic clock. */
  #restUntilMs = 0;

  constructor(options: DirectorySaverOptions) {
    this.#options = options;
  }

  /** The directory has changed, so what was saved is out of date. */
  noteChange(): void {
    this.#savedAtMs = undefined;
  }

  saveWhenDue(data: DirectoryData, confirmedAtMs: number): void {
    this.#latest = { confirmedAtMs, data };
    const nowMs = this.#options.clock.nowMs();
    const isDue =
      this.#savedAtMs === undefined || Math.abs(nowMs - this.#savedAtMs) >= SNAPSHOT_REFRESH_MS;
    const startedMs = performance.now();
    if (!isDue || this.#saving !== undefined || startedMs < this.#restUntilMs) return;
    this.#saving = this.#save(this.#latest).finally(() => {
      this.#saving = undefined;
      const endedMs = performance.now();
      this.#restUntilMs = endedMs + Math.min((endedMs - startedMs) * 4, SAVE_REST_MAX_MS);
    });
  }

  /** During an outage of Postgres: writes a change that is not saved yet, and nothing else. */
  savePending(): void {
    if (this.#latest === undefined || this.#savedAtMs !== undefined) return;
    this.saveWhenDue(this.#latest.data, this.#latest.confirmedAtMs);
  }

  /** Writes the changes that were not saved during the pause between two writes. */
  async stop(): Promise<void> {
    await this.#saving;
    if (this.#latest !== undefined && this.#savedAtMs === undefined) await this.#save(this.#latest);
  }

  /** Never rejects. */
  async #save(snapshot: DirectorySnapshot): Promise<void> {
    const { snapshotPath, clock, log } = this.#options;
    const nowMs = clock.nowMs();
    this.#savedAtMs = nowMs;
    try {
      await writeSnapshot(snapshotPath, snapshot);
    } catch (error) {
      log.error({ snapshotPath, reason: messageOf(error) }, 'directory snapshot write failed');
      // Retry soon: the old snapshot may contain keys that have been revoked since.
      this.#savedAtMs = nowMs - SNAPSHOT_REFRESH_MS + SNAPSHOT_RETRY_MS;
    }
  }
}

/** How much the snapshot's age may be overstated; a few writes an hour are cheap. */
const SNAPSHOT_REFRESH_MS = 2 * 60 * 1000;
const SNAPSHOT_RETRY_MS = 5_000;
/**
 * The cost of a write to the main thread grows with the directory (0.3 s for 100,000 keys), so
 * successive edits share one.
 */
const SAVE_REST_MAX_MS = 5_000;
