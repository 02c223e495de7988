import type { UpstreamHealth } from '../transitions.ts';
import type { Submission } from './submission.reads.ts';

type StatusMeaning =
  | { readonly kind: 'verdict'; readonly verdict: 'APPROVED' | 'REJECTED' }
  /** The health of an approved template. Never changes the state of the version. */
  | { readonly kind: 'health'; readonly health: UpstreamHealth }
  /** A known status without effect, for example under review. */
  | { readonly kind: 'nothing' }
  /** Never treated as one of the others. */
  | { readonly kind: 'unknown' };

const HEALTHS: Readonly<Record<string, UpstreamHealth>> = {
  PAUSED: 'PAUSED',
  LOCKED: 'PAUSED',
  DISABLED: 'DISABLED',
  ARCHIVED: 'DISABLED',
  PENDING_DELETION: 'DISABLED',
  DELETED: 'DISABLED',
  FLAGGED: 'FLAGGED',
  REINSTATED: 'OK',
  UNARCHIVED: 'OK',
};
/**
 * The statuses that imply an approval. A deleted or locked template may never have been approved.
 */
const OF_APPROVED: ReadonlySet<string> = new Set(['PAUSED', 'DISABLED', 'FLAGGED', 'REINSTATED']);
const NOTHING: ReadonlySet<string> = new Set(['PENDING', 'IN_APPEAL', 'LIMIT_EXCEEDED']);

export function meaningOf(status: string): StatusMeaning {
  if (status === 'APPROVED' || status === 'REJECTED') return { kind: 'verdict', verdict: status };
  const health = Object.hasOwn(HEALTHS, status) ? HEALTHS[status] : undefined;
  if (health !== undefined) return { kind: 'health', health };
  return { kind: NOTHING.has(status) ? 'nothing' : 'unknown' };
}

/** Whether a status in a list can only belong to an approved template. */
export function impliesApproval(status: string): boolean {
  return OF_APPROVED.has(status);
}

/** Whether a status in a list matches the stored health of an approved version. */
export function matchesHealth(
  status: string,
  { versionHealth: health, versionHealthUntil: until }: Submission,
  at: Date,
): boolean {
  const meaning = meaningOf(status);
  if (meaning.kind === 'verdict')
    return meaning.verdict === 'REJECTED'
      ? health === 'DISABLED'
      : health === 'OK' || health === 'FLAGGED';
  if (meaning.kind !== 'health') return true;
  // A pause that is still listed after its end continues.
  const isOver = health === 'PAUSED' && until !== null && until <= at;
  return meaning.health === health && !isOver;
}
