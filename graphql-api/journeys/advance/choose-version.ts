// Chooses the version of one send: first by the resolution order of the contract, then by whether the
// contact's data has all values that it requires.

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
      /** Set if the data does not fill the pinned version but fills the Active one. */
      readonly migratedFrom?: { readonly versionId: string; readonly missing: readonly string[] };
    }
  /** No version is sendable. An operator may fix that. */
  | { readonly kind: 'hold' }
  /** The enrolment advances without the send. */
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
  /** By trait name. */
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

/** Returns the trait that provides the value of a variable. */
export function traitOf({ variables = {} }: SendNode, variable: string): string {
  return Object.hasOwn(variables, variable) ? variables[variable]! : variable;
}

export function traitValue(traits: Values, node: SendNode, variable: string): string | undefined {
  const trait = traitOf(node, variable);
  return Object.hasOwn(traits, trait) ? traits[trait] : undefined;
}

/**
 * An operator's override holds until it is removed. A migration because of missing data is replaced
 * by a later rollout, as a pin is.
 */
function overrideOf(pins: Pins, person: DuePerson, { id: nodeId }: SendNode): string | undefined {
  const override = pins.overrides.get(placeOf(person.id, nodeId));
  if (override?.kind !== 'MIGRATED') return override?.versionId;
  const { versionId, createdAt } = override;
  const release = releaseOf(pins, { ...person, createdAt }, versionId);
  return release === undefined ? versionId : undefined;
}

/** A release in the journey precedes a release in all journeys. Pins taken after it hold. */
function releaseOf(pins: Pins, person: DuePerson, pinnedId: string | undefined) {
  if (pinnedId === undefined) return undefined;
  const releases = (pins.releases.get(pinnedId) ?? []).filter(
    ({ releasedAt, journeyId }) =>
      person.createdAt <= releasedAt && (journeyId ?? person.journeyId) === person.journeyId,
  );
  return releases.find(({ journeyId }) => journeyId !== null) ?? releases[0];
}

function missingOf({ variables }: CandidateVersion, node: SendNode, traits: Values): string[] {
  return variables
    .filter(({ name, isRequired }) => isRequired && !traitValue(traits, node, name))
    .map(({ name }) => name);
}
