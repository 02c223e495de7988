// A webhook's body, read by the one who verified it and by the one who works it off. It never fails:
// what the gateway signed is kept, also when nobody can make anything of it.

import { type GatewayFamily, gatewayEventType } from './event-types.ts';
import { type GatewayObject, objectAt, parseGatewayJson, textAt } from './gateway-json.ts';
import { gatewayTimeMs } from './gateway-values.ts';

export type ParsedGatewayEvent = {
  /** As sent, but bounded and without control characters; empty when there is none. */
  readonly type: string;
  readonly family: GatewayFamily;
  /** What we call it; empty for an unknown type. */
  readonly name: string;
  /** As sent; empty when there is none. */
  readonly eventTime: string;
  readonly eventAtMs: number | undefined;
  readonly data: GatewayObject;
};

/** The longest type known has half of it. */
const TYPE_CHARACTERS_MAX = 100;

export function parseGatewayEvent(body: Uint8Array): ParsedGatewayEvent {
  const root = parseGatewayJson(new TextDecoder().decode(body));
  const data = unwrapped(objectAt(root, 'data'));
  // Where the gateway's documentation of vendor settlements has both.
  const type = bounded(textAt(root, 'type') ?? textAt(data, 'type') ?? '');
  const eventTime = textAt(root, 'event_time') ?? textAt(data, 'event_time') ?? '';
  return {
    ...gatewayEventType(type),
    type,
    eventTime,
    eventAtMs: gatewayTimeMs(eventTime),
    data,
  };
}

/** In the reminder that a card expires, what the other events of a subscription have in `data`. */
const WRAPPER = 'subscription_status_webhook';

/** So that whoever reads an event finds the same names in the same places. */
function unwrapped(data: GatewayObject): GatewayObject {
  return WRAPPER in data ? { ...data, ...objectAt(data, WRAPPER) } : data;
}

/** Neither a NUL nor half a surrogate pair can be stored as text. */
function bounded(text: string): string {
  return text.slice(0, TYPE_CHARACTERS_MAX).replaceAll(/[^\x20-\x7e]/g, '?');
}
