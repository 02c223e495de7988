// Which version of a template a send uses. The contract's order: the version pinned in the snapshot,
// then the one that a forced rollout names, then the Active one. What an operator chose for one person
// goes before all of it; a version that can't be sent falls back, and the reason says so.

import {
  isApprovedState,
  isSendableAt,
  type TemplateState,
  type UpstreamHealth,
} from './transitions.ts';

export const RESOLUTION_REASONS = [
  'override',
  'pin',
  'forced',
  'released_pin',
  'active',
  'fallback_rejected',
  'pin_unsendable',
] as const;
export type ResolutionReason = (typeof RESOLUTION_REASONS)[number];

/** What resolving looks at of a version. */
export type SendableVersion = {
  readonly id: string;
  readonly number: number;
  readonly state: TemplateState;
  readonly upstreamHealth: UpstreamHealth;
  readonly healthUntil: Date | null;
  readonly activatedAt: Date | null;
};

export type Release = {
  /** Null where the release names none. */
  readonly toVersionId: string | null;
};

export type ResolutionInput = {
  /** Those of the node's template, channel and language that might be sent, and all that are named
   * below; in any order. */
  readonly versions: readonly SendableVersion[];
  /** Of the snapshot; undefined where it has none for the node. */
  readonly pinnedId: string | undefined;
  /** Of the pinned version, of the narrowest scope; undefined where the pin holds. */
  readonly release: Release | undefined;
  readonly overrideId: string | undefined;
  readonly nowMs: number;
};

export type Resolution = { readonly versionId: string; readonly reason: ResolutionReason };

/** Undefined where nothing of the template can be sent now. */
export function resolveVersion(input: ResolutionInput): Resolution | undefined {
  const { pinnedId, overrideId, release } = input;
  const overriding = sendable(input, overrideId);
  if (overriding !== undefined) return { versionId: overriding.id, reason: 'override' };
  if (pinnedId === undefined) return ofActive(input, 'active');
  if (release !== undefined) {
    const forced = sendable(input, release.toVersionId ?? undefined);
    if (forced !== undefined) return { versionId: forced.id, reason: 'forced' };
    return ofActive(input, 'released_pin');
  }
  const pinned = sendable(input, pinnedId);
  if (pinned !== undefined) return { versionId: pinned.id, reason: 'pin' };
  return fallback(input, pinnedId);
}

/** The Active one; while that can't be sent, the one that was Active before it. */
function ofActive(input: ResolutionInput, reason: ResolutionReason): Resolution | undefined {
  const active = input.versions.find(({ state }) => state === 'Active');
  if (active === undefined) return latestActive(input, reason);
  if (isSendableAt(active, input.nowMs)) return { versionId: active.id, reason };
  return latestActive(input, 'pin_unsendable');
}

/** A rejected version gives way to the one that is, or was, Active; another that can't be sent, to the
 * newest before it, so that the person changes as little as can be. */
function fallback(input: ResolutionInput, pinnedId: string): Resolution | undefined {
  const pinned = input.versions.find(({ id }) => id === pinnedId);
  if (pinned === undefined) throw new Error('the pinned version is not among the versions');
  if (pinned.state === 'Rejected') return latestActive(input, 'fallback_rejected');
  const earlier = sendables(input)
    .filter(({ number }) => number < pinned.number)
    .toSorted((a, b) => b.number - a.number)[0];
  if (earlier === undefined || !isApprovedState(pinned.state))
    return latestActive(input, 'pin_unsendable');
  return { versionId: earlier.id, reason: 'pin_unsendable' };
}

/** Active ones before those that were, the last one first; what never was comes last. */
function latestActive(input: ResolutionInput, reason: ResolutionReason): Resolution | undefined {
  const [latest] = sendables(input).toSorted(
    (a, b) =>
      Number(b.state === 'Active') - Number(a.state === 'Active') ||
      (b.activatedAt?.getTime() ?? 0) - (a.activatedAt?.getTime() ?? 0) ||
      b.number - a.number,
  );
  return latest && { versionId: latest.id, reason };
}

function sendables({ versions, nowMs }: ResolutionInput): SendableVersion[] {
  return versions.filter(version => isSendableAt(version, nowMs));
}

function sendable(input: ResolutionInput, id: string | undefined): SendableVersion | undefined {
  if (id === undefined) return undefined;
  return sendables(input).find(version => version.id === id);
}
