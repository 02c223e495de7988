/**
 * Whether both roles come in by one login, as where only DATABASE_URL is given. It may leave its role,
 * so row-level security then guards against mistakes of ours, not against statements of somebody else.
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
