// POST /v1/webhooks/payment/gateway. A 200 means that the event is committed in the inbox, by this
// or an earlier delivery. Unknown types also return 200, because the gateway retries until it
// receives one. A request with an invalid signature is only logged and counted.

import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';
import { problem } from '../../schema/values/problem.ts';
import type { Clock } from '../clock.ts';
import type { Incoming } from '../http/incoming.ts';
import { jsonReply, problemReply, type Reply } from '../http/reply.ts';
import type { Endpoint } from '../http/server.ts';
import { GATEWAY_BODY_BYTES_MAX, RETRY_AFTER_SECONDS } from '../limits.ts';
import type { Metrics } from '../observe/metrics.ts';
import { PostgresUnavailable } from '../postgres/grouped-statement.ts';
import type { ThreadDatabase } from '../postgres/thread-database.ts';
import { gatewayEventKey } from './event-key.ts';
import type { InboxEvent } from './store-events.ts';
import { onlyHeader, type Verdict, verifyWebhook, type WebhookRefusal } from './verify-webhook.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export type GatewayWebhookDeps = {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly webhookSecrets: WebhookSecrets;
  readonly webhookToleranceMs: number | undefined;
  readonly database: Pick<ThreadDatabase, 'ask'>;
  readonly metrics: Pick<Metrics, 'gatewayWebhooks'>;
  /** Undefined until the directory has been loaded. */
  readonly directory: () => object | undefined;
  readonly isDraining: () => boolean;
  readonly onUnavailable: (error: unknown) => void;
  readonly onForgery: (facts: object) => void;
};

/** A date, in every version so far. */
const VERSION = /^[\w.-]{1,40}$/;

const SUCCESS = jsonReply(200, { status: 'SUCCESS' });
const REFUSALS: Readonly<Record<Refused['refusal'], Reply>> = {
  headers: forged(
    'The header x-webhook-signature or x-webhook-timestamp is missing, repeated or malformed.',
  ),
  body: forged(
    'The body must be a JSON object that starts at the first byte. The signed text has no separator between timestamp and body, so the signature cannot authenticate any other body.',
  ),
  'too old': forged(
    'The time in the header x-webhook-timestamp differs too much from the current time.',
  ),
  signature: problemReply(problem('INVALID_SIGNATURE')),
};
const UNAVAILABLE = problemReply(problem('UNAVAILABLE', undefined, RETRY_AFTER_SECONDS));
const TOO_LARGE = problemReply(
  problem(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${GATEWAY_BODY_BYTES_MAX / 1024} KB (${GATEWAY_BODY_BYTES_MAX} bytes).`,
  ),
);

type Refused = { readonly refusal: Exclude<WebhookRefusal, 'unknown'> };
type Outcome = 'stored' | 'duplicate' | 'too large' | 'unavailable';
const REPLIES: Readonly<Record<Outcome, Reply>> = {
  stored: SUCCESS,
  duplicate: SUCCESS,
  'too large': TOO_LARGE,
  unavailable: UNAVAILABLE,
};

function forged(message: string): Reply {
  return problemReply(problem('INVALID_SIGNATURE', message));
}

export function gatewayWebhookEndpoint(deps: GatewayWebhookDeps): Endpoint {
  return {
    methods: ['POST'],
    handle: async (incoming, body) => {
      const outcome = await receive(deps, incoming, body);
      const isForged = typeof outcome === 'object';
      deps.metrics.gatewayWebhooks.inc({ outcome: isForged ? 'forged' : outcome });
      return isForged ? REFUSALS[outcome.refusal] : REPLIES[outcome];
    },
  };
}

async function receive(
  deps: GatewayWebhookDeps,
  incoming: Incoming,
  body: Buffer,
): Promise<Outcome | Refused> {
  if (deps.isDraining()) return 'unavailable';
  if (body.length > GATEWAY_BODY_BYTES_MAX) return 'too large';
  const receivedAtMs = deps.clock.nowMs();
  const verdict = verifyWebhook(
    { ...incoming, body, receivedAtMs },
    {
      secrets: deps.webhookSecrets,
      areWorkspacesKnown: deps.directory() !== undefined,
      toleranceMs: deps.webhookToleranceMs,
    },
  );
  if ('refusal' in verdict) {
    const { refusal } = verdict;
    if (refusal === 'unknown') return 'unavailable';
    deps.onForgery(factsOf(incoming, refusal, body.length, receivedAtMs));
    return { refusal };
  }
  try {
    const event = inboxEvent(deps.newId(), incoming, body, receivedAtMs, verdict);
    return (await deps.database.ask('gateway events', event)) ? 'stored' : 'duplicate';
  } catch (error) {
    if (!(error instanceof PostgresUnavailable)) throw error;
    deps.onUnavailable(error);
    return 'unavailable';
  }
}

function inboxEvent(
  id: string,
  incoming: Incoming,
  body: Buffer,
  receivedAtMs: number,
  { signer, event }: Extract<Verdict, { signer: object }>,
): InboxEvent {
  const version = onlyHeader(incoming, 'x-webhook-version') ?? '';
  return {
    id,
    requestId: incoming.requestId,
    accountId: signer.accountId,
    eventKey: gatewayEventKey(event, body),
    type: event.type,
    family: event.family,
    version: VERSION.test(version) ? version : '',
    // A copy, because a message to another thread copies all of the memory that a part shares.
    body: new Uint8Array(body),
    field: signer.field,
    generation: signer.generation,
    receivedAtMs,
    eventAtMs: event.eventAtMs,
    workspaceId: signer.accountId === PLATFORM_ACCOUNT_ID ? undefined : signer.accountId,
  };
}

/**
 * Facts that help to tell a wrong secret from an attack, without values that the sender can choose
 * freely.
 */
function factsOf(
  incoming: Incoming,
  reason: WebhookRefusal,
  bytes: number,
  receivedAtMs: number,
): object {
  const timestamp = Number(onlyHeader(incoming, 'x-webhook-timestamp'));
  const attempt = Number(onlyHeader(incoming, 'x-webhook-attempt'));
  return { reason, bytes, attempt, timestamp, receivedAtMs };
}
