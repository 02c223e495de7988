// Sends signed events at least once and without a guaranteed order: late, twice, reversed or never,
// by seed or on demand.

import { setTimeout as wait } from 'node:timers/promises';
import { signApprovalBody } from '../../graphql-api/templates/approval/signature.ts';
import type { HeldTemplate } from './store.ts';

export type WebhookTarget = { url: string | undefined; readonly secret: string };
export type Targets = Readonly<Record<HeldTemplate['channel'], WebhookTarget>>;

export type WebhookManner = {
  copies: number;
  delayMs: number;
  /** Holds events until they are released. */
  isHeld: boolean;
  /** The percentage of events that are never sent. */
  lostPercent: number;
};

export type SentWebhook = {
  readonly channel: HeldTemplate['channel'];
  readonly body: string;
  status: number | undefined;
};

export type Webhooks = {
  readonly manner: WebhookManner;
  readonly sent: readonly SentWebhook[];
  emit(channel: HeldTemplate['channel'], body: string): void;
  release(isReversed: boolean): Promise<void>;
  stop(): void;
};

const HEADERS = { messaging_app: 'x-hub-signature-256', sms: 'x-registrar-signature-256' } as const;
/** The real platform retries for days. */
const RETRY_AFTER_MS: readonly number[] = [500, 2_000, 5_000];
const ANSWER_TIMEOUT_MS = 5_000;
const REMEMBERED_MAX = 2_000;

export function createWebhooks(targets: Targets, random: () => number): Webhooks {
  const manner: WebhookManner = { copies: 1, delayMs: 0, isHeld: false, lostPercent: 0 };
  const sent: SentWebhook[] = [];
  const held: SentWebhook[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;

  async function deliver(webhook: SentWebhook): Promise<void> {
    if (manner.delayMs > 0) await wait(manner.delayMs * (0.5 + random()), undefined, { signal });
    for (const retryMs of [...RETRY_AFTER_MS, undefined]) {
      webhook.status = await post(targets, webhook, signal);
      if (webhook.status === 200 || retryMs === undefined) return;
      await wait(retryMs, undefined, { signal });
    }
  }

  return {
    manner,
    sent,
    emit(channel, body) {
      if (signal.aborted || random() * 100 < manner.lostPercent) return;
      for (let copy = 0; copy < manner.copies; copy++) {
        const webhook: SentWebhook = { channel, body, status: undefined };
        sent.push(webhook);
        if (manner.isHeld) held.push(webhook);
        else void deliver(webhook).catch(() => undefined);
      }
      sent.splice(0, sent.length - REMEMBERED_MAX);
    },
    async release(isReversed) {
      const released = held.splice(0);
      // Sequential, so that the events arrive in the requested order.
      for (const webhook of isReversed ? released.toReversed() : released) await deliver(webhook);
    },
    stop: () => stopping.abort(),
  };
}

async function post(
  targets: Targets,
  { channel, body }: SentWebhook,
  signal: AbortSignal,
): Promise<number> {
  const { url, secret } = targets[channel];
  if (url === undefined) return 0;
  const bytes = Buffer.from(body);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [HEADERS[channel]]: signApprovalBody(secret, bytes),
      },
      body: bytes,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
