import { afterAll } from 'vitest';
import { createResolve } from '../../../../graphql-api/webhooks/dispatch/resolve-host.ts';
import {
  type Attempted,
  createSender,
  type Sender,
  type SenderOptions,
} from '../../../../graphql-api/webhooks/dispatch/send-webhook.ts';

/** Senders that are closed after the tests. */
export function useSenders() {
  const senders: Sender[] = [];

  afterAll(() => {
    for (const sender of senders) sender.close();
  });

  function senderOf(options: Partial<SenderOptions> = {}) {
    const sender = createSender({
      isLoopbackAllowed: true,
      servicePorts: new Set(),
      resolve: createResolve(),
      timing: TIMING,
      ...options,
    });
    senders.push(sender);
    return (url: string, body = '{"type":"endpoint.test"}', signal = NEVER): Promise<Attempted> =>
      sender.send({ url, body, headers: { 'webhook-id': 'one' } }, signal);
  }
  return { senderOf };
}

/** Long enough for a busy machine; only the tested timeout is short. */
export const TIMING = { connectTimeoutMs: 10_000, answerTimeoutMs: 15_000, drainTimeoutMs: 200 };

export const NEVER = new AbortController().signal;
