// The sessions by their IDs. Each serves one request at a time, and is closed when no request has
// named it for a while.

import type { Engine } from './engine.ts';
import { exception } from './exception.ts';
import { SESSION_TIMEOUT_DEFAULT_S, SESSION_TIMEOUT_MAX_S, SESSIONS_MAX } from './limits.ts';
import type { RunInScope } from './scope.ts';
import type { Session } from './session.ts';

export type SessionRequest = {
  readonly id: string;
  /** As sent: a number of seconds. */
  readonly timeout: string | undefined;
  /** The session must exist. */
  readonly isCheck: boolean;
  /** The session ends with this request. */
  readonly isLast: boolean;
};

export type Sessions = {
  /** Throws an Exception if the session is in use, or must exist and does not. */
  take(request: SessionRequest): SessionLoan;
  /** Call only when the engine is idle. */
  close(): void;
};

export type SessionLoan = { readonly run: RunInScope; giveBack(): void };

type Kept = { readonly session: Session; timer: NodeJS.Timeout | undefined; isInUse: boolean };

export function createSessions(engine: Pick<Engine, 'openSession'>): Sessions {
  const sessions = new Map<string, Kept>();

  function end(id: string, kept: Kept): void {
    // close() may have ended the session while a request was using it.
    if (sessions.get(id) !== kept) return;
    clearTimeout(kept.timer);
    sessions.delete(id);
    kept.session.close();
  }

  function open(id: string): Kept {
    if (sessions.size >= SESSIONS_MAX)
      throw exception(
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        `Too many sessions. Maximum: ${SESSIONS_MAX}`,
      );
    const kept: Kept = { session: engine.openSession(), timer: undefined, isInUse: false };
    sessions.set(id, kept);
    return kept;
  }

  return {
    take({ id, timeout, isCheck, isLast }) {
      const timeoutMs = 1000 * seconds(timeout);
      const known = sessions.get(id);
      if (known === undefined && isCheck)
        throw exception('SESSION_NOT_FOUND', `Session ${id} not found`);
      if (known?.isInUse)
        throw exception('SESSION_IS_LOCKED', `Session ${id} is locked by a concurrent client`);
      const kept = known ?? open(id);
      clearTimeout(kept.timer);
      kept.isInUse = true;
      return {
        run: kept.session.run,
        giveBack() {
          kept.isInUse = false;
          if (isLast) end(id, kept);
          else kept.timer = setTimeout(() => end(id, kept), timeoutMs).unref();
        },
      };
    },
    close() {
      for (const [id, kept] of sessions) end(id, kept);
    },
  };
}

function seconds(text: string | undefined): number {
  if (text === undefined || text === '') return SESSION_TIMEOUT_DEFAULT_S;
  if (!/^\d+$/.test(text))
    throw exception('INVALID_SESSION_TIMEOUT', `Invalid session timeout: '${text}'`);
  if (Number(text) > SESSION_TIMEOUT_MAX_S)
    throw exception(
      'INVALID_SESSION_TIMEOUT',
      `Session timeout '${text}' is larger than max_session_timeout: ${SESSION_TIMEOUT_MAX_S}`,
    );
  return Number(text);
}
