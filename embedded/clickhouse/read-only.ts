// Read-only requests of a session. The engine cannot leave its read-only mode again, so a session's
// connection never enters it, and statements are refused here by their kind.

import { exception } from './exception.ts';
import type { Received } from './receive-statement.ts';
import { tokenize } from './tokens.ts';

/** Throws an Exception for a statement that this value of the setting readonly forbids. */
export function refuseWrites(received: Received, readonly: string | undefined): void {
  if (readonly === undefined || readonly === '0') return;
  if (received.kind === 'read' || received.kind === 'empty') return;
  const [first, second] = received.kind === 'other' ? tokenize(received.text) : [];
  const isOwnState =
    first?.text === 'SET' ||
    first?.text === 'USE' ||
    (first?.text === 'CREATE' && second?.text === 'TEMPORARY');
  if (readonly !== '2' || !isOwnState)
    throw exception('READONLY', 'Cannot execute query in readonly mode');
}
