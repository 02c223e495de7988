// The filters that ignore case. The API's own filters do not, so these are applied here.

import type { Sent } from '../../pieces/sent-event/sent.ts';

export type TextFilter = { readonly name: string; readonly user: string };

/** Matches if the text occurs anywhere; a `*` at the end is ignored. */
export function matcherOf(
  { name, user }: TextFilter,
  nameOf: (sent: Sent) => string,
): (sent: Sent) => boolean {
  const [wantedName, wantedUser] = [foldCase(name), foldCase(user)];
  const has = (text: string | null, wanted: string) => foldCase(text ?? '').includes(wanted);
  return sent =>
    (wantedName === '' || has(nameOf(sent), wantedName) || has(sent.name, wantedName)) &&
    (wantedUser === '' || has(sent.userId, wantedUser) || has(sent.anonymousId, wantedUser));
}

function foldCase(text: string): string {
  return text.replace(/\*$/, '').toLowerCase();
}
