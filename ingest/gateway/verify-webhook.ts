// Verifies the signature of a webhook. Nothing in the request is trusted before that: the signature
// covers no headers except the two it needs, and the body only determines which secrets to try.

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
import { isUuid } from '../../schema/values/uuid.ts';
import type { Incoming } from '../http/incoming.ts';
import type { WebhookSecret, WebhookSecrets } from './webhook-secrets.ts';
import { HINTS_MAX, workspaceHints } from './workspace-hints.ts';

export type Webhook = Pick<Incoming, 'query' | 'webhookHeaders'> & {
  readonly body: Uint8Array;
  readonly receivedAtMs: number;
};

type VerifyOptions = {
  readonly secrets: Pick<WebhookSecrets, 'platform' | 'of'>;
  /**
   * Until the directory is loaded, the webhook of a workspace cannot be told apart from a forgery.
   */
  readonly areWorkspacesKnown: boolean;
  readonly toleranceMs: number | undefined;
};

export type Verdict =
  | { readonly signer: WebhookSecret; readonly event: ParsedGatewayEvent }
  | { readonly refusal: WebhookRefusal };

/** Unknown: the webhook may belong to a workspace whose secrets are not loaded yet. */
export type WebhookRefusal = 'headers' | 'body' | 'too old' | 'signature' | 'unknown';

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

/** Also undefined for a repeated header, because a proxy may have checked the other value. */
export function onlyHeader(
  { webhookHeaders }: Pick<Webhook, 'webhookHeaders'>,
  name: string,
): string | undefined {
  const values = webhookHeaders.filter(([each]) => each === name);
  return values.length === 1 ? values[0]![1] : undefined;
}

/**
 * A workspace can put its ID into the webhook URL: some events, such as settlements, contain no ID
 * that we created.
 */
function hintsOfQuery(query: string): string[] {
  const id = new URLSearchParams(query).get('workspace_id');
  return id !== null && isUuid(id) ? [workspaceCode(id)] : [];
}
