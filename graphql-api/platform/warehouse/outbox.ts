import type { AppDeps } from '../context.ts';
import { repeat } from '../jobs/repeat.ts';
import { createIngestClient } from './ingest-client.ts';
import { sendRows } from './send-rows.ts';

export type Outbox = {
  /** Waits for the current request. Other rows are left for another process. */
  stop(): Promise<void>;
};

/** A check is one index lookup. */
const CHECK_INTERVAL_MS = 250;
const RETRY_MS_MAX = 10_000;

/** Sends the rows of the outbox until the process stops. Without INGEST_URL, no rows are sent. */
export function startOutbox(deps: AppDeps): Outbox {
  const { config, log } = deps;
  if (config.ingest === undefined) {
    log.warn('INGEST_URL and INTERNAL_TOKEN are not set: warehouse rows are not sent');
    return { stop: async () => undefined };
  }
  const ingest = createIngestClient(config.ingest);
  const stopping = new AbortController();
  const sending = repeat(() => sendRows(deps, ingest), {
    intervalMs: CHECK_INTERVAL_MS,
    retryMsMax: RETRY_MS_MAX,
    signal: stopping.signal,
    onFailure: (error, failures) => {
      log.warn(
        { reason: (error as Error).message, failures },
        'cannot send rows to ingest, retrying',
      );
    },
  });
  return {
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}
