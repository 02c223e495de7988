/** Where users sign in, as the operator configured it. */
export type IdentityProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly audience?: string;
};

/** Undefined if none is configured: users then sign in with an access token that they have. */
export async function fetchIdentityProvider(): Promise<IdentityProvider | undefined> {
  const answer = await fetch(`${import.meta.env.BASE_URL}identity-provider`);
  if (!answer.ok) return undefined;
  const body = (await answer.json()) as { identityProvider: IdentityProvider | null };
  return body.identityProvider ?? undefined;
}
