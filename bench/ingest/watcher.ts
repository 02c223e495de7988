// Watches the loaded workspace, like an API process for its live views.

import { followIngest } from '../../graphql-api/events/live/follow-ingest.ts';
import type { Server } from './servers.ts';

export type Watcher = {
  readonly stop: () => void;
  /** Throws if it did not receive the events. */
  readonly requireNews: () => void;
};

/** The internal token of the measured ingest. */
export const WATCHER_TOKEN = 'internal-token-of-a-bench-which-is-long-enough';

export function startWatcher({ port }: Pick<Server, 'port'>, workspaceId: string): Watcher {
  const ending = new AbortController();
  let [counted, shown] = [0, 0];
  let failure: Error | undefined;
  void followIngest({
    ingest: { url: `http://127.0.0.1:${port}`, token: WATCHER_TOKEN },
    workspaceId,
    signal: ending.signal,
    onNews: ({ accepted, entries }) => {
      counted += accepted;
      shown += entries.length;
    },
    onAway: error => {
      failure = error;
    },
  });
  return {
    stop: () => ending.abort(),
    requireNews() {
      if (counted > 0 && shown > 0) return;
      throw new Error('the watcher saw nothing', { cause: failure });
    },
  };
}
