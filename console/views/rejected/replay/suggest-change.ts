// The likely correction for a reason, from the message of a rejected event.

import { placeOf } from '../../../pieces/sent-event/place-of.ts';
import { type Change, NEW_CHANGE } from './change.ts';

export type Rejection = { readonly code: string; readonly message: string };

/** At most one for each field, and none for messages that do not name a field. */
export function suggestChanges(rejections: readonly Rejection[]): Change[] {
  const changes = rejections.map(suggestChange).filter(change => change !== undefined);
  return [...new Map(changes.map(change => [change.path, change])).values()];
}

function suggestChange(rejection: Rejection): Change | undefined {
  const path = placeOf(rejection)?.path.join('.');
  if (path === undefined || path === '') return undefined;
  const change = { ...NEW_CHANGE, path };
  if (path === 'timestamp') return { ...change, value: 'received_at' };
  if (path === 'messageId') return { ...change, value: 'derived' };
  if (rejection.code === 'UNKNOWN_EVENT_TYPE') return { ...change, to: 'track' };
  if (rejection.code !== 'MISSING_FIELD') return undefined;
  // Other events of the same reason can have the field. A session of its own is no other person.
  return { ...change, kind: 'fill', ...(path === 'sessionId' && { value: 'derived' }) };
}
