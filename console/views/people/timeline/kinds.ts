// The filter of the timeline by kind.

import type { VariablesOf } from '../../../graph/graphql.ts';
import type { TIMELINE } from './timeline-query.ts';

type Kinds = VariablesOf<typeof TIMELINE>['kinds'];

export const KINDS = [
  { value: 'events', label: 'Events', kinds: ['EVENT'] },
  {
    value: 'messages',
    label: 'Messages, campaigns and pushes',
    kinds: ['SEND', 'DELIVERY', 'CARD', 'IN_APP_EVENT', 'IN_APP_RESPONSE'],
  },
] as const satisfies readonly { readonly value: string; readonly label: string; kinds: Kinds }[];

/** Undefined for everything. */
export function kindOf(value: string | null) {
  return KINDS.find(kind => kind.value === value);
}
