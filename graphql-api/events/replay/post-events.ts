import { setTimeout as wait } from 'node:timers/promises';
import {
  type IngestAnswer,
  IngestAway,
  type IngestClient,
} from '../../platform/warehouse/ingest-client.ts';
import type { RejectedEvent } from './read-rejected.ts';

/** Events of one batch, which share the batch's context and times. */
export type EventRequest = {
  readonly events: readonly RejectedEvent[];
  /** The corrected JSON texts, in the same order. */
  readonly texts: readonly string[];
};

export type IngestVerdict = {
  readonly accepted: number;
  readonly refused: readonly RefusedEvent[];
};

export type RefusedEvent = {
  readonly messageId: string;
  readonly code: string;
  readonly message: string;
};

export type PostTools = { readonly ingest: IngestClient; readonly signal?: AbortSignal };

/** About half a minute of retries in total, longer than a restart of ingest takes. */
const ATTEMPTS_MAX = 7;
const FIRST_WAIT_MS = 250;

/** Sends events of one original batch as one batch. Throws if ingest stays unavailable. */
export async function postEvents(
  tools: PostTools,
  { events, texts }: EventRequest,
  { workspaceId, isDryRun }: { readonly workspaceId: string; readonly isDryRun: boolean },
): Promise<IngestVerdict> {
  const { propertyId, sdkKeyId, receivedAt, sentAt, batchContext } = events[0]!;
  const context = batchContext === '' ? '' : `"context":${batchContext},`;
  const body = `{"sentAt":${JSON.stringify(sentAt)},${context}"batch":[${texts.join(',')}]}`;
  const query = {
    workspace_id: workspaceId,
    property_id: propertyId,
    sdk_key_id: sdkKeyId,
    received_at: receivedAt,
    dry_run: isDryRun ? '1' : '0',
  };
  const answer = await insist(tools, () => tools.ingest.post('/internal/batch', query, body));
  if (answer.status !== 200) {
    // Ingest rejected the batch as a whole, so every event has the same error.
    const { code, detail } = answer.body;
    const why = { code: String(code), message: String(detail) };
    return { accepted: 0, refused: events.map(({ messageId }) => ({ messageId, ...why })) };
  }
  const rejected = answer.body.rejected as { index: number; code: string; message: string }[];
  return {
    accepted: answer.body.accepted as number,
    refused: rejected.map(({ index, code, message }) => {
      return { messageId: events[index]!.messageId, code, message };
    }),
  };
}

/** Responses with any other status are retried. */
const FINAL = new Set([200, 400, 413]);

async function insist(
  { signal }: PostTools,
  post: () => Promise<IngestAnswer>,
): Promise<IngestAnswer> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await post().catch((error: unknown) => {
      if (error instanceof IngestAway && !error.isMisconfigured) return error;
      throw error;
    });
    if (!(outcome instanceof IngestAway) && FINAL.has(outcome.status)) return outcome;
    const reason = outcome instanceof IngestAway ? outcome.message : reasonOf(outcome);
    if (attempt === ATTEMPTS_MAX) throw new IngestAway(reason);
    await wait(FIRST_WAIT_MS * 2 ** (attempt - 1), undefined, signal && { signal });
  }
}

function reasonOf({ status, body }: IngestAnswer): string {
  return `ingest returned ${status}: ${String(body.detail)}`;
}
