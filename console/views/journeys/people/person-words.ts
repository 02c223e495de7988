// Where a person is in a journey, and what they hold, in words.

import type { Journey } from '../journey-query.ts';
import { inOrder } from '../steps/step-order.ts';
import { KINDS, titleOf } from '../steps/step-words.ts';
import type { Held, Person } from './people-query.ts';

export function nameOf({ contact }: Person): string {
  return contact?.userId ?? 'a deleted contact';
}

/** For example "2. Wait: 30 days". A step that was removed from the journey has only its ID. */
export function stepInWords({ nodes }: Journey, nodeId: string): string {
  const steps = inOrder(nodes);
  const at = steps.findIndex(({ id }) => id === nodeId);
  const step = steps[at];
  if (step === undefined) return `${nodeId} (removed step)`;
  if (step.kind === 'END') return `${at + 1}. End`;
  return `${at + 1}. ${KINDS[step.kind].label}: ${titleOf(step)}`;
}

/** By the order of their steps; those of removed steps last. */
export function inStepOrder({ nodes }: Journey, versions: readonly Held[]): Held[] {
  const ids = inOrder(nodes).map(({ id }) => id);
  const placeOf = ({ nodeId }: Held) => (ids.includes(nodeId) ? ids.indexOf(nodeId) : ids.length);
  return versions.toSorted((a, b) => placeOf(a) - placeOf(b));
}

export const OVERRIDES: Readonly<Record<NonNullable<Held['overrideKind']>, string>> = {
  HOLD: 'Held on this version',
  PIN: 'Chosen by an operator',
  MIGRATED: 'Moved because their data lacks a value',
};
