// Sends signed events, at least once and without a guaranteed order. On demand they are repeated,
// delayed or sent in reverse order. All sent events can be inspected.

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { signGatewayBody } from '../../schema/gateway/signature.ts';
import { Raw, type WritableObject, writeExact } from '../../schema/values/exact-json.ts';
import type { Account, WebhookVersion } from './store.ts';

export type Webhook = {
  readonly type: string;
  readonly url: string;
  readonly body: string;
  readonly secret: string;
  readonly version: WebhookVersion;
  /** The HTTP status of the last attempt; 0 if there was no response. */
  status: number | undefined;
  attempts: number;
};

export type EmittedEvent = {
  readonly type: string;
  readonly data: WritableObject;
  /** For events with a version of their own in addition to the version of the webhooks. */
  readonly version?: string;
};

export type WebhookManner = {
  /** The number of copies of each event. */
  copies: number;
  delayMs: number;
  /** Whether events are held until they are released. */
  isHeld: boolean;
};

export type Webhooks = {
  readonly manner: WebhookManner;
  readonly sent: readonly Webhook[];
  emit(account: Account, event: EmittedEvent): void;
  /** Sends the held events, in order or in reverse. */
  release(isReversed: boolean): void;
  /** Stops sending. */
  stop(): void;
};

/** The real gateway retries after 2, 10 and 30 minutes. */
const RETRY_AFTER_MS: readonly number[] = [250, 1_000, 3_000];
const ANSWER_TIMEOUT_MS = 5_000;
const REMEMBERED_MAX = 5_000;
const ABANDONED = /ABANDONED|payment_link\.abandoned/;

export function createWebhooks(nowMs: () => number): Webhooks {
  const manner: WebhookManner = { copies: 1, delayMs: 0, isHeld: false };
  const sent: Webhook[] = [];
  const held: Webhook[] = [];
  const stopping = new AbortController();

  async function deliver(webhook: Webhook): Promise<void> {
    if (manner.delayMs > 0) await wait(manner.delayMs, undefined, { signal: stopping.signal });
    for (const retryMs of [...RETRY_AFTER_MS, undefined]) {
      webhook.attempts++;
      webhook.status = await post(webhook, String(nowMs()), stopping.signal);
      if (webhook.status === 200 || retryMs === undefined) return;
      await wait(retryMs, undefined, { signal: stopping.signal });
    }
  }

  /** The result of a failed or stopped delivery is in the list. */
  const send = (webhook: Webhook) => void deliver(webhook).catch(() => undefined);

  return {
    manner,
    sent,
    emit(account, { type, data, version }) {
      const { webhookUrl, webhookVersion } = account;
      const own = version === undefined ? {} : { version: new Raw(version) };
      const body = writeExact({ data, event_time: indianTime(new Date(nowMs())), type, ...own });
      const secret = ABANDONED.test(type) ? account.abandonedSecret : account.webhookSecret;
      for (let copy = 0; copy < manner.copies; copy++) {
        const webhook = {
          type,
          url: webhookUrl ?? '',
          body,
          secret,
          version: webhookVersion,
          status: undefined,
          attempts: 0,
        };
        sent.push(webhook);
        // Keep the event in the list even if the account has no webhook URL.
        if (webhookUrl === undefined || stopping.signal.aborted) continue;
        if (manner.isHeld) held.push(webhook);
        else send(webhook);
      }
      sent.splice(0, sent.length - REMEMBERED_MAX);
    },
    release(isReversed) {
      const released = held.splice(0);
      for (const webhook of isReversed ? released.toReversed() : released) send(webhook);
    },
    stop: () => stopping.abort(),
  };
}

async function post(webhook: Webhook, timestamp: string, stopping: AbortSignal): Promise<number> {
  const bytes = Buffer.from(webhook.body);
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-webhook-version': webhook.version,
        ...idempotencyKey(webhook),
        'x-webhook-attempt': String(webhook.attempts),
        'x-webhook-timestamp': timestamp,
        'x-webhook-signature': signGatewayBody(webhook.secret, timestamp, bytes),
      },
      body: bytes,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Depends only on the body. The oldest version has no such header. */
function idempotencyKey({ version, body }: Webhook): Readonly<Record<string, string>> {
  if (version === '2023-08-01') return {};
  return { 'x-idempotency-key': createHash('sha256').update(body).digest('base64') };
}

const INDIAN_OFFSET_MS = 5.5 * 3_600_000;

/** For example `2025-01-15T12:20:29+05:30`. */
export function indianTime(at: Date): string {
  const local = new Date(at.getTime() + INDIAN_OFFSET_MS).toISOString();
  return `${local.slice(0, 19)}+05:30`;
}
