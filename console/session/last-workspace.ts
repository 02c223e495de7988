// The workspace that each user of this device opened last, so that a new sign-in opens it again.

const PREFIX = 'console-workspace-';

/** Undefined if none is known. It may be gone by now. */
export function lastWorkspace(token: string): string | undefined {
  const key = keyOf(token);
  return key === undefined ? undefined : (localStorage.getItem(key) ?? undefined);
}

export function rememberWorkspace(token: string, workspaceId: string): void {
  const key = keyOf(token);
  if (key !== undefined) localStorage.setItem(key, workspaceId);
}

export function forgetWorkspace(token: string): void {
  const key = keyOf(token);
  if (key !== undefined) localStorage.removeItem(key);
}

/** By the token's subject. Undefined if the token names none; then the API refuses it. */
function keyOf(token: string): string | undefined {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const { sub } = JSON.parse(atob(payload)) as { sub?: unknown };
    return typeof sub === 'string' ? PREFIX + sub : undefined;
  } catch {
    return undefined;
  }
}
