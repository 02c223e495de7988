import type { UpstreamHealth } from '../../schema/rules/templates/transitions.ts';

/** What a word of an approver means for us. */
export type WordMeaning =
  | { readonly kind: 'verdict'; readonly verdict: 'APPROVED' | 'REJECTED' }
  /** Of what it approved before; never a change of the version's state. */
  | { readonly kind: 'health'; readonly health: UpstreamHealth }
  /** Known, and nothing follows: under review, or its own housekeeping. */
  | { readonly kind: 'nothing' }
  /** Never taken for one of the others. */
  | { readonly kind: 'unknown' };

const VERDICTS: readonly string[] = ['APPROVED', 'REJECTED'];
const HEALTHS: Readonly<Record<string, UpstreamHealth>> = {
  PAUSED: 'PAUSED',
  DISABLED: 'DISABLED',
  FLAGGED: 'FLAGGED',
  REINSTATED: 'OK',
};
const NOTHING: ReadonlySet<string> = new Set([
  'PENDING',
  'IN_APPEAL',
  'LOCKED',
  'LIMIT_EXCEEDED',
  'ARCHIVED',
  'UNARCHIVED',
  'DELETED',
  'PENDING_DELETION',
]);

export function meaningOf(word: string): WordMeaning {
  if (VERDICTS.includes(word)) return { kind: 'verdict', verdict: word as 'APPROVED' };
  const health = Object.hasOwn(HEALTHS, word) ? HEALTHS[word] : undefined;
  if (health !== undefined) return { kind: 'health', health };
  return { kind: NOTHING.has(word) ? 'nothing' : 'unknown' };
}

/** A status that only something approved can have, as a list of templates shows it. */
export function impliesApproval(status: string): boolean {
  return meaningOf(status).kind === 'health';
}
