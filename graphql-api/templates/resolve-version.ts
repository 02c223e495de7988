// Decides which version of a template a send uses, in this order: an operator's override of the
// enrolment; the version pinned in the snapshot, unless a forced rollout released the pin; the
// version of that rollout; the Active version. If a version cannot be sent, another one is used,
// and `reason` records why.

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

export type ResolutionInput = {
  /** All sendable candidates of the node's template, channel and language, and every version named
   * below, in any order. */
  readonly versions: readonly SendableVersion[];
  /** From the snapshot; undefined if it has no pin for the node. */
  readonly pinnedId: string | undefined;
  /**
   * The release of the pinned version with the narrowest scope; undefined if the pin holds. Its
   * version is null if the release names none.
   */
  readonly release: { readonly toVersionId: string | null } | undefined;
  readonly overrideId: string | undefined;
  readonly nowMs: number;
};

type Resolution = { readonly versionId: string; readonly reason: ResolutionReason };

/** Returns undefined if no version of the template can be sent now. */
export function resolveVersion(input: ResolutionInput): Resolution | undefined {
  const { versions, pinnedId, overrideId, release, nowMs } = input;
  const sendables = versions.filter(version => isSendableAt(version, nowMs));
  const isSendable = (id: string | null | undefined): id is string =>
    sendables.some(version => version.id === id);
  if (isSendable(overrideId)) return { versionId: overrideId, reason: 'override' };
  if (pinnedId === undefined) return ofActive(versions, sendables, 'active');
  if (release !== undefined) {
    const { toVersionId } = release;
    if (isSendable(toVersionId)) return { versionId: toVersionId, reason: 'forced' };
    return ofActive(versions, sendables, 'released_pin');
  }
  if (isSendable(pinnedId)) return { versionId: pinnedId, reason: 'pin' };
  const pinned = versions.find(({ id }) => id === pinnedId);
  if (pinned === undefined) throw new Error('the pinned version is not among the versions');
  return fallback(pinned, sendables);
}

type Versions = readonly SendableVersion[];

/** The Active version, or the previously Active one while the current one cannot be sent. */
function ofActive(
  versions: Versions,
  sendables: Versions,
  reason: ResolutionReason,
): Resolution | undefined {
  const active = versions.find(({ state }) => state === 'Active');
  if (active === undefined) return latestActive(sendables, reason);
  if (sendables.includes(active)) return { versionId: active.id, reason };
  return latestActive(sendables, 'pin_unsendable');
}

/**
 * A rejected version falls back to the latest Active version. Any other unsendable version falls
 * back to the newest earlier one, so that the content changes as little as possible.
 */
function fallback(pinned: SendableVersion, sendables: Versions): Resolution | undefined {
  if (pinned.state === 'Rejected') return latestActive(sendables, 'fallback_rejected');
  const earlier = sendables
    .filter(({ number }) => number < pinned.number)
    .toSorted((a, b) => b.number - a.number)[0];
  if (earlier === undefined || !isApprovedState(pinned.state))
    return latestActive(sendables, 'pin_unsendable');
  return { versionId: earlier.id, reason: 'pin_unsendable' };
}

/** Prefers the Active version, then the most recently Active, then versions that never were. */
function latestActive(sendables: Versions, reason: ResolutionReason): Resolution | undefined {
  const [latest] = sendables.toSorted(
    (a, b) =>
      Number(b.state === 'Active') - Number(a.state === 'Active') ||
      (b.activatedAt?.getTime() ?? 0) - (a.activatedAt?.getTime() ?? 0) ||
      b.number - a.number,
  );
  return latest && { versionId: latest.id, reason };
}
