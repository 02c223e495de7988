// The person who uses this device, and the session.

import { SESSION_IDLE_MS } from './limits.ts';

export type Visitor = {
  readonly anonymousId: string;
  readonly userId?: string;
  readonly sessionId: string;
  /** The time of the latest call, after which a session ends by itself. */
  readonly activeAtMs: number;
};

/** The visitor at a call: the same one, in a new session if the latest call was long ago. */
export function visitorAt(
  visitor: Visitor | undefined,
  nowMs: number,
  newId: () => string,
): Visitor {
  if (visitor === undefined) return { anonymousId: newId(), sessionId: newId(), activeAtMs: nowMs };
  // A new session also starts if the clock was set back; otherwise the old session would last until the clock
  // catches up.
  const isIdle = Math.abs(nowMs - visitor.activeAtMs) > SESSION_IDLE_MS;
  return { ...visitor, ...(isIdle ? { sessionId: newId() } : {}), activeAtMs: nowMs };
}
