import type { Entry } from './entry.ts';

/**
 * The entries that wait to be sent, in order. Adding is synchronous; reading returns everything that was added
 * before.
 */
export type Queue = {
  /** If there is no room, the entry is reported as lost. */
  add(entry: Entry): void;
  /** The first entries; fewer than `count` only if there are no more. */
  take(count: number): Promise<readonly Entry[]>;
  remove(keys: readonly string[]): Promise<void>;
};
