// Parses a webhook body, both for its verification and for its processing. It never fails, because
// signed events are stored even if they cannot be interpreted.

import { type ExactObject, objectField, readExactObject, textField } from '../values/exact-json.ts';
import { type GatewayFamily, gatewayEventType } from './event-types.ts';
import { gatewayTimeMs } from './gateway-time.ts';

export type ParsedGatewayEvent = {
  /** As sent, but truncated and without control characters; empty if there is none. */
  readonly type: string;
  readonly family: GatewayFamily;
  /** Our name; empty for an unknown type. */
  readonly name: string;
  /** As sent; empty if there is none. */
  readonly eventTime: string;
  readonly eventAtMs: number | undefined;
  readonly data: ExactObject;
};

/** Twice the length of the longest known type. */
const TYPE_CHARACTERS_MAX = 100;

export function parseGatewayEvent(body: Uint8Array): ParsedGatewayEvent {
  const root = readExactObject(new TextDecoder().decode(body));
  const data = unwrapped(objectField(root, 'data'));
  // In the documented vendor settlements, `type` and `event_time` are inside `data`.
  const type = bounded(textField(root, 'type') ?? textField(data, 'type') ?? '');
  const eventTime = textField(root, 'event_time') ?? textField(data, 'event_time') ?? '';
  return {
    ...gatewayEventType(type),
    type,
    eventTime,
    eventAtMs: gatewayTimeMs(eventTime),
    data,
  };
}

/** The card expiry reminder wraps in this object what other subscription events have in `data`. */
const WRAPPER = 'subscription_status_webhook';

/** Flattens the wrapper, so that readers find the same names in the same places. */
function unwrapped(data: ExactObject): ExactObject {
  return WRAPPER in data ? { ...data, ...objectField(data, WRAPPER) } : data;
}

/**
 * Replaces characters outside printable ASCII, because NUL and lone surrogates cannot be stored.
 */
function bounded(text: string): string {
  return text.slice(0, TYPE_CHARACTERS_MAX).replaceAll(/[^\x20-\x7e]/g, '?');
}
