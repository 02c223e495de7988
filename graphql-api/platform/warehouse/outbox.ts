import type { AppDeps } from '../context.ts';
import { repeat } from '../jobs/repeat.ts';
import { createIngestClient } from './ingest-client.ts';
import { sendRows } from './send-rows.ts';

export type Outbox = {
  /** What is being posted is waited for; the rest stays for the next process. */
  stop(): Promise<void>;
};

/** A look is one question of an index; with it a row is on its way well within a second. */
const LOOK_INTERVAL_MS = 250;
const RETRY_MS_MAX = 10_000;

/** Sends the outbox's rows for as long as the process lives; without an address none are sent. */
export function startOutbox(deps: AppDeps): Outbox {
  const { config, log } = deps;
  if (config.ingest === undefined) {
    log.warn('INGEST_URL and INTERNAL_TOKEN are not set: rows for the warehouse wait');
    return { stop: async () => undefined };
  }
  const ingest = createIngestClient(config.ingest);
  const stopping = new AbortController();
  const sending = repeat(() => sendRows(deps, ingest), {
    intervalMs: LOOK_INTERVAL_MS,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      log.warn({ reason: (error as Error).message, failures }, 'rows for ingest wait');
    },
  });
  return {
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}
