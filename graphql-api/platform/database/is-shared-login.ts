/**
 * Whether both roles use the same login, which is the case if only DATABASE_URL is set. Such a login can reset its role, so
 * row-level security protects against mistakes in the code, but not against SQL injection.
 */
export function isSharedLogin({
  app,
  system,
}: {
  readonly app: string;
  readonly system: string;
}): boolean {
  return loginOf(app) === loginOf(system);
}

function loginOf(url: string): string {
  const { username, searchParams } = new URL(url);
  return searchParams.get('user') ?? username;
}
