// The version that one person gets at one node: the contract's order, then whether the person's data
// fills it.

import { type ResolutionReason, resolveVersion } from '../../templates/resolve-version.ts';
import { isSendableAt } from '../../templates/transitions.ts';
import type { SendNode } from '../nodes.ts';
import type { DuePerson } from './load-due.ts';
import { type CandidateVersion, type Pins, placeOf, treeOf } from './load-pins.ts';

export type Values = Readonly<Record<string, string>>;

export type Choice =
  | {
      readonly kind: 'send';
      readonly version: CandidateVersion;
      readonly reason: ResolutionReason;
      readonly pinnedId: string | undefined;
      /** Set where the pin needs what the person doesn't have, and the Active version doesn't. */
      readonly migratedFrom?: { readonly versionId: string; readonly missing: readonly string[] };
    }
  /** Nothing that could be sent; an operator may mend that. */
  | { readonly kind: 'hold' }
  /** The person goes on without. */
  | { readonly kind: 'skip'; readonly reason: 'suppressed' }
  | {
      readonly kind: 'skip';
      readonly reason: 'values_missing';
      readonly versionId: string;
      readonly missing: readonly string[];
    };

export function chooseVersion(
  pins: Pins,
  person: DuePerson,
  node: SendNode,
  /** By trait. */
  traits: Values,
  nowMs: number,
): Choice {
  if (person.isSuppressed) return { kind: 'skip', reason: 'suppressed' };
  const versions = pins.versions.get(treeOf(node)) ?? [];
  const pinnedId = pins.pinnedIds.get(placeOf(person.snapshotId, node.id));
  const resolution = resolveVersion({
    versions,
    pinnedId,
    release: releaseOf(pins, person, pinnedId),
    overrideId: overrideOf(pins, person, node),
    nowMs,
  });
  if (resolution === undefined) return { kind: 'hold' };
  const { reason } = resolution;
  const version = versions.find(({ id }) => id === resolution.versionId)!;
  const missing = missingOf(version, node, traits);
  if (missing.length === 0) return { kind: 'send', version, reason, pinnedId };
  const latest = versions.find(({ state }) => state === 'Active');
  const isFilled =
    latest !== undefined &&
    isSendableAt(latest, nowMs) &&
    missingOf(latest, node, traits).length === 0;
  if (reason !== 'pin' || !isFilled)
    return { kind: 'skip', reason: 'values_missing', versionId: version.id, missing };
  const migratedFrom = { versionId: version.id, missing };
  return { kind: 'send', version: latest, reason: 'override', pinnedId, migratedFrom };
}

/** The trait that a variable takes its value from. */
export function traitOf({ variables = {} }: SendNode, variable: string): string {
  return Object.hasOwn(variables, variable) ? variables[variable]! : variable;
}

export function traitValue(traits: Values, node: SendNode, variable: string): string | undefined {
  const trait = traitOf(node, variable);
  return Object.hasOwn(traits, trait) ? traits[trait] : undefined;
}

/** What an operator chose for the person holds until they take it back; where their data moved them
 * gives way to what is forced later, as a pin does. */
function overrideOf(pins: Pins, person: DuePerson, { id: nodeId }: SendNode): string | undefined {
  const override = pins.overrides.get(placeOf(person.id, nodeId));
  if (override?.kind !== 'MIGRATED') return override?.versionId;
  const { versionId, createdAtMs } = override;
  const release = releaseOf(pins, { ...person, createdAtMs }, versionId);
  return release === undefined ? versionId : undefined;
}

/** That of the journey goes before that of all; pins that were taken later hold. */
function releaseOf(pins: Pins, person: DuePerson, pinnedId: string | undefined) {
  if (pinnedId === undefined) return undefined;
  const releases = (pins.releases.get(pinnedId) ?? []).filter(
    ({ releasedAtMs, journeyId }) =>
      person.createdAtMs <= releasedAtMs && (journeyId ?? person.journeyId) === person.journeyId,
  );
  return releases.find(({ journeyId }) => journeyId !== null) ?? releases[0];
}

function missingOf({ variables }: CandidateVersion, node: SendNode, traits: Values): string[] {
  return variables
    .filter(({ name, isRequired }) => isRequired && !traitValue(traits, node, name))
    .map(({ name }) => name);
}
