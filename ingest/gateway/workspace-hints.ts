// Finds the workspaces that a body may belong to before its signature is verified, to decide which
// secrets to try. Anyone can write a body, so a hint counts only after a secret of that workspace
// has verified it, and at most two workspaces are tried.

import { PLATFORM_CODE, workspaceCode, workspaceCodeOf } from '../../schema/gateway/minted-id.ts';
import type { ParsedGatewayEvent } from '../../schema/gateway/parse-gateway-event.ts';
import { type ExactObject, textField } from '../../schema/values/exact-json.ts';
import { isUuid } from '../../schema/values/uuid.ts';

export const HINTS_MAX = 2;

/** Fields in which the gateway echoes values that we sent. */
const TAGS: readonly (readonly string[])[] = [
  ['link_notes'],
  ['link', 'link_notes'],
  ['subscription_details', 'subscription_tags'],
  ['subscription_tags'],
  ['order', 'order_tags'],
  ['order_tags'],
];

/** Fields that contain IDs created by us. */
const IDS: readonly (readonly string[])[] = [
  ['link_id'],
  ['link', 'link_id'],
  ['order', 'order_id'],
  ['order_id'],
  ['subscription_id'],
  ['subscription_details', 'subscription_id'],
  ['subscriptionId'],
  ['refund', 'refund_id'],
  ['refund', 'order_id'],
  ['auto_refund', 'order_id'],
  ['refund_id'],
  ['payment_id'],
  ['order_details', 'order_id'],
  ['merchant_vendor_id'],
  ['settlement', 'vendor_id'],
  ['plan_details', 'plan_id'],
];

/** The workspace codes in them; see minted-id.ts. */
export function workspaceHints({ data }: ParsedGatewayEvent): readonly string[] {
  const hints = new Set<string>();
  for (const code of codes(data)) {
    hints.add(code);
    if (hints.size === HINTS_MAX) break;
  }
  return [...hints];
}

function* codes(data: ExactObject): Generator<string> {
  for (const path of TAGS) {
    const id = textField(data, ...path, 'workspace_id');
    if (id !== undefined && isUuid(id)) yield workspaceCode(id);
  }
  for (const path of IDS) {
    const code = workspaceCodeOf(textField(data, ...path) ?? '');
    if (code !== undefined && code !== PLATFORM_CODE) yield code;
  }
}
