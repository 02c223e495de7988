/**
 * Whether both roles use one login, as with only DATABASE_URL. Such a login can reset its role, so
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
