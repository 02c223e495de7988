import type { UpstreamHealth } from '../transitions.ts';

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
  LOCKED: 'PAUSED',
  DISABLED: 'DISABLED',
  ARCHIVED: 'DISABLED',
  PENDING_DELETION: 'DISABLED',
  DELETED: 'DISABLED',
  FLAGGED: 'FLAGGED',
  REINSTATED: 'OK',
  UNARCHIVED: 'OK',
};
/** Of those, what only something approved can be; deleted or locked is also what never was. */
const OF_APPROVED: ReadonlySet<string> = new Set(['PAUSED', 'DISABLED', 'FLAGGED', 'REINSTATED']);
const NOTHING: ReadonlySet<string> = new Set(['PENDING', 'IN_APPEAL', 'LIMIT_EXCEEDED']);

export function meaningOf(word: string): WordMeaning {
  if (VERDICTS.includes(word)) return { kind: 'verdict', verdict: word as 'APPROVED' };
  const health = Object.hasOwn(HEALTHS, word) ? HEALTHS[word] : undefined;
  if (health !== undefined) return { kind: 'health', health };
  return { kind: NOTHING.has(word) ? 'nothing' : 'unknown' };
}

/** A status that only something approved can have, as a list of templates shows it. */
export function impliesApproval(status: string): boolean {
  return OF_APPROVED.has(status);
}

export type KnownHealth = {
  readonly health: UpstreamHealth;
  /** When a pause was to end by itself. */
  readonly until: Date | null;
};

/** Whether a list that says so now says what is known already of something approved. */
export function agreesWith(status: string, { health, until }: KnownHealth, at: Date): boolean {
  const meaning = meaningOf(status);
  if (meaning.kind === 'verdict')
    return meaning.verdict === 'REJECTED'
      ? health === 'DISABLED'
      : health === 'OK' || health === 'FLAGGED';
  if (meaning.kind !== 'health') return true;
  // A pause that is listed after its time goes on.
  const isOver = health === 'PAUSED' && until !== null && until <= at;
  return meaning.health === health && !isOver;
}
