import { fetchIdentityProvider } from './identity-provider.ts';
import { rememberWorkspace } from './last-workspace.ts';
import { readSession, type Session, writeSession } from './session.ts';

/** Tokens are renewed this long before they expire, so that none expires on its way to the API. */
const MARGIN_MS = 10_000;
/** The longest time that browsers accept for a timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The session with a token that the next request can use. */
export type CurrentSession = () => Promise<Session>;

type Kept = {
  readonly current: CurrentSession;
  /** Later requests name the workspace, also after a reload of the page and at the next sign-in. */
  readonly stayIn: (workspaceId: string) => void;
};

/**
 * Renews the token when it is about to expire. If that fails, requests go out with the old token, and
 * the API refuses it once it has expired.
 */
export function keepCurrent(first: Session): Kept {
  let current = first;
  let renewing: Promise<void> | undefined;
  async function renew(): Promise<void> {
    try {
      const after = await renewed(current);
      // Set in the meantime.
      const { workspaceId } = current;
      keep(workspaceId === undefined ? after : { ...after, workspaceId });
    } catch {
      // Tried again with the next request.
    } finally {
      renewing = undefined;
    }
  }
  function keep(next: Session): void {
    // The viewer may have signed out in the meantime.
    if (readSession()?.token === current.token) writeSession(next);
    current = next;
  }
  return {
    async current() {
      if (msUntilRenewal(current) === 0) {
        renewing ??= renew();
        await renewing;
      }
      return current;
    },
    stayIn(workspaceId) {
      rememberWorkspace(current.token, workspaceId);
      if (workspaceId !== current.workspaceId) keep({ ...current, workspaceId });
    },
  };
}

/** For as long as the page is open, also while it sends nothing. Returns a function that stops it. */
export function renewInTime(current: CurrentSession): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  async function plan(): Promise<void> {
    const waitMs = msUntilRenewal(await current());
    // Zero if the renewal failed: then only the next request tries it again.
    if (isStopped || waitMs === undefined || waitMs === 0) return;
    timer = setTimeout(() => void plan(), Math.min(waitMs, TIMER_MS_MAX));
  }
  void plan();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Undefined if the token cannot be renewed. */
function msUntilRenewal({ grant }: Session): number | undefined {
  if (grant?.expiresAtMs === undefined || grant.refreshToken === undefined) return undefined;
  return Math.max(0, grant.expiresAtMs - MARGIN_MS - Date.now());
}

async function renewed(session: Session): Promise<Session> {
  const provider = await fetchIdentityProvider();
  if (provider === undefined) throw new Error('the identity provider is no longer configured');
  const { renewSession } = await import('./oidc.ts');
  return renewSession(provider, session);
}
