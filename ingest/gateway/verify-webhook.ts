// Who signed a webhook. Nothing in it is believed before that is known: the headers but the two that
// the signature needs are not even covered by it, and the body only says whose secrets to try.

import { workspaceCode } from '../../schema/gateway/minted-id.ts';
import {
  type ParsedGatewayEvent,
  parseGatewayEvent,
} from '../../schema/gateway/parse-gateway-event.ts';
import {
  beginsLikeAnEvent,
  decodeSignature,
  findSigner,
  parseTimestamp,
} from '../../schema/gateway/signature.ts';
import type { Incoming } from '../http/incoming.ts';
import type { WebhookSecret, WebhookSecrets } from './webhook-secrets.ts';
import { HINTS_MAX, workspaceHints } from './workspace-hints.ts';

export type Webhook = Pick<Incoming, 'query' | 'webhookHeaders'> & {
  readonly body: Uint8Array;
  readonly receivedAtMs: number;
};

export type VerifyOptions = {
  readonly secrets: Pick<WebhookSecrets, 'platform' | 'of'>;
  /** Before that a workspace's webhook looks like a forgery. */
  readonly areWorkspacesKnown: boolean;
  readonly toleranceMs: number | undefined;
};

export type Verdict =
  | { readonly signer: WebhookSecret; readonly event: ParsedGatewayEvent }
  | { readonly refusal: WebhookRefusal };

/** Unknown: it may be a workspace's, and those are not loaded yet. */
export type WebhookRefusal = 'headers' | 'body' | 'too old' | 'signature' | 'unknown';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function verifyWebhook(webhook: Webhook, options: VerifyOptions): Verdict {
  const { body, receivedAtMs } = webhook;
  const { secrets, areWorkspacesKnown, toleranceMs = Infinity } = options;
  const timestamp = onlyHeader(webhook, 'x-webhook-timestamp') ?? '';
  const signature = decodeSignature(onlyHeader(webhook, 'x-webhook-signature') ?? '');
  const signedAtMs = parseTimestamp(timestamp);
  if (signature === undefined || signedAtMs === undefined) return { refusal: 'headers' };
  if (!beginsLikeAnEvent(body)) return { refusal: 'body' };
  if (Math.abs(receivedAtMs - signedAtMs) > toleranceMs) return { refusal: 'too old' };

  const signed = { timestamp, body, signature };
  const platform = findSigner(secrets.platform, signed);
  const event = parseGatewayEvent(body);
  if (platform !== undefined) return { signer: platform, event };
  const hints = [...new Set([...hintsOfQuery(webhook.query), ...workspaceHints(event)])];
  const candidates = secrets.of(hints.slice(0, HINTS_MAX), receivedAtMs);
  const signer = findSigner(candidates, signed);
  if (signer !== undefined) return { signer, event };
  return { refusal: hints.length > 0 && !areWorkspacesKnown ? 'unknown' : 'signature' };
}

/** Undefined also where it came twice: whoever stands in front may have looked at the other. */
export function onlyHeader(
  { webhookHeaders }: Pick<Webhook, 'webhookHeaders'>,
  name: string,
): string | undefined {
  const values = webhookHeaders.filter(([each]) => each === name);
  return values.length === 1 ? values[0]![1] : undefined;
}

/**
 * A workspace may put its id into the address that it gives the gateway: some events, such as
 * settlements, name nothing that we made.
 */
function hintsOfQuery(query: string): string[] {
  const id = new URLSearchParams(query).get('workspace_id');
  return id !== null && UUID.test(id) ? [workspaceCode(id)] : [];
}
