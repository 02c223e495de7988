// The filter of the timeline by kind.

import type { VariablesOf } from '../../../graph/graphql.ts';
import type { TIMELINE } from './timeline-query.ts';

type Kinds = VariablesOf<typeof TIMELINE>['kinds'];

type Kind = {
  readonly value: string;
  readonly label: string;
  /** After "No", where there are none. */
  readonly none: string;
  readonly kinds: Kinds;
};

export const KINDS = [
  { value: 'events', label: 'Events', none: 'events', kinds: ['EVENT'] },
  {
    value: 'messages',
    label: 'Received: messages, campaigns, widgets, pushes',
    none: 'messages, campaigns, widgets or pushes',
    kinds: ['SEND', 'DELIVERY', 'CARD', 'IN_APP_EVENT', 'IN_APP_RESPONSE'],
  },
] as const satisfies readonly Kind[];

/** Undefined for everything. */
export function kindOf(value: string | null) {
  return KINDS.find(kind => kind.value === value);
}
