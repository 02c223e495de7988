// Decides which version of a template a send uses. The order that the contract fixes: the version
// pinned in the snapshot, then the version of a forced rollout, then the Active version. An
// operator's override of one enrolment precedes all three. A version that cannot be sent falls
// back, and `reason` records why.

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

/** The fields of a version that the resolution depends on. */
export type SendableVersion = {
  readonly id: string;
  readonly number: number;
  readonly state: TemplateState;
  readonly upstreamHealth: UpstreamHealth;
  readonly healthUntil: Date | null;
  readonly activatedAt: Date | null;
};

type Release = {
  /** Null if the release names no version. */
  readonly toVersionId: string | null;
};

export type ResolutionInput = {
  /** All sendable candidates of the node's template, channel and language, and every version named
   * below, in any order. */
  readonly versions: readonly SendableVersion[];
  /** From the snapshot; undefined if it has no pin for the node. */
  readonly pinnedId: string | undefined;
  /** The release of the pinned version with the narrowest scope; undefined if the pin holds. */
  readonly release: Release | undefined;
  readonly overrideId: string | undefined;
  readonly nowMs: number;
};

type Resolution = { readonly versionId: string; readonly reason: ResolutionReason };

/** Returns undefined if no version of the template can be sent now. */
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

/** The Active version, or the previously Active one while the current one cannot be sent. */
function ofActive(input: ResolutionInput, reason: ResolutionReason): Resolution | undefined {
  const active = input.versions.find(({ state }) => state === 'Active');
  if (active === undefined) return latestActive(input, reason);
  if (isSendableAt(active, input.nowMs)) return { versionId: active.id, reason };
  return latestActive(input, 'pin_unsendable');
}

/**
 * A rejected version falls back to the latest Active version. Any other unsendable version falls
 * back to the newest earlier one, so that the content changes as little as possible.
 */
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

/** Prefers the Active version, then the most recently Active, then versions that never were. */
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
