// Whether the first pass of the erasure of a person is still to be followed, and how often.

/** The first pass takes seconds to minutes. */
export const FOLLOW_MS = 2_000;

/** The first deletion is not done yet. */
export function isUnderWay({ state }: { readonly state: string }): boolean {
  return state === 'QUEUED' || state === 'RUNNING';
}
