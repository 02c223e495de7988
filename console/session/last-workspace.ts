// The workspace that each user of this device opened last, so that a new sign-in opens it again.

const PREFIX = 'console-workspace-';

/** Undefined if none is known. It may be gone by now. */
export function lastWorkspace(token: string): string | undefined {
  return inStorage(token, key => localStorage.getItem(key)) ?? undefined;
}

export function rememberWorkspace(token: string, workspaceId: string): void {
  inStorage(token, key => localStorage.setItem(key, workspaceId));
}

export function forgetWorkspace(token: string): void {
  inStorage(token, key => localStorage.removeItem(key));
}

/**
 * By the token's organization and subject. Does nothing if the token names none, which the API refuses, or
 * if the browser denies the page its storage.
 */
function inStorage<T>(token: string, use: (key: string) => T): T | undefined {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const { sub, org_id } = JSON.parse(atob(payload)) as { sub?: unknown; org_id?: unknown };
    return typeof sub === 'string' ? use(`${PREFIX}${String(org_id)}-${sub}`) : undefined;
  } catch {
    return undefined;
  }
}
