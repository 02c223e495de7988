// The likely correction for a reason, from the message of a rejected event.

import { placeOf } from '../../../pieces/sent-event/place-of.ts';
import { type Change, NEW_CHANGE } from './change.ts';

type Rejection = { readonly code: string; readonly message: string };

/** Undefined if the message does not name a field. */
export function suggestChange(rejection: Rejection): Change | undefined {
  const path = placeOf(rejection)?.path.join('.');
  if (path === undefined || path === '') return undefined;
  const change = { ...NEW_CHANGE, path };
  if (path === 'timestamp') return { ...change, value: 'received_at' };
  if (path === 'messageId') return { ...change, value: 'derived' };
  if (rejection.code === 'UNKNOWN_EVENT_TYPE') return { ...change, to: 'track' };
  return undefined;
}
