// The items of the live view. They contain all data that is shown, so that nothing is loaded later.

import type { TailEntry, TailRefusal } from '../../../schema/values/tail.ts';
import type { GatewayEventState } from '../../payments/gateway-event.reads.ts';
import type { RowOf } from '../../platform/database/kysely.ts';

export type LiveKind = LiveItem['kind'];

export type LiveItem = LiveEvent | LiveRejectedEvent | LiveGatewayEvent | LiveDelivery | LiveCounts;

export type LiveEvent = TailEntry & { readonly kind: 'EVENT' };

export type LiveRejectedEvent = TailEntry & {
  readonly kind: 'REJECTED_EVENT';
  readonly refusal: TailRefusal;
};

export type LiveGatewayEvent = {
  readonly kind: 'GATEWAY_EVENT';
  readonly id: string;
  readonly type: string;
  readonly family: string;
  readonly state: GatewayEventState;
  readonly effects: readonly string[];
  readonly error: string | null;
  readonly receivedAt: Date;
};

export type LiveDelivery = {
  readonly kind: 'DELIVERY';
  readonly type: string;
  readonly attempt: number;
} & Pick<RowOf<'webhook_deliveries'>, 'endpointId' | 'eventId' | 'isTest' | 'state'> &
  Omit<RowOf<'webhook_attempts'>, 'workspaceId' | 'number' | 'settledAt'>;

export type LiveCounts = {
  readonly kind: 'COUNTS';
  readonly at: Date;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /** The number of accepted and rejected events that were left out. */
  readonly notShown: number;
  readonly deliveries: number;
  readonly deliveriesNotShown: number;
  readonly isIngestAnswering: boolean;
};

/** Omitted filters match everything. */
export type LiveFilter = {
  readonly kinds?: readonly LiveKind[] | null | undefined;
  readonly name?: string | null | undefined;
  readonly type?: string | null | undefined;
  readonly user?: string | null | undefined;
  readonly code?: string | null | undefined;
};

/**
 * Whether an item matches all filters. A filter on a property that the item lacks, such as the user
 * of a delivery, does not match. Counts cover all items, so only `kinds` can exclude them.
 */
export function isLookedFor(filter: LiveFilter, item: LiveItem): boolean {
  const { kinds, name, type, user, code } = filter;
  if (kinds != null && !kinds.includes(item.kind)) return false;
  if (item.kind === 'COUNTS') return true;
  const known = factsOf(item);
  return (
    isAmong(name, known.names) &&
    isAmong(type, known.types) &&
    isAmong(user, known.users) &&
    isAmong(code, known.codes)
  );
}

type Facts = Readonly<Record<'names' | 'types' | 'users' | 'codes', readonly string[]>>;

function factsOf(item: Exclude<LiveItem, { kind: 'COUNTS' }>): Facts {
  switch (item.kind) {
    case 'EVENT':
    case 'REJECTED_EVENT':
      return {
        names: [item.name],
        types: [item.type],
        users: [item.userId, item.anonymousId],
        codes: item.refusal === undefined ? [] : [item.refusal.code],
      };
    case 'GATEWAY_EVENT':
      return { names: item.effects, types: [item.type], users: [], codes: [item.state] };
    case 'DELIVERY':
      return {
        names: [item.type],
        types: [item.type],
        users: [],
        codes: [item.outcome, String(item.status ?? '')],
      };
  }
}

/** A trailing `*` matches any suffix. */
function isAmong(asked: string | null | undefined, known: readonly string[]): boolean {
  if (asked == null) return true;
  if (!asked.endsWith('*')) return known.includes(asked);
  const beginning = asked.slice(0, -1);
  return known.some(text => text !== '' && text.startsWith(beginning));
}
