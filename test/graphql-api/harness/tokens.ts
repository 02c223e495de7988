import { signToken, type TokenOptions } from '../../../embedded/sign-token.ts';
import { DEFAULT_AUDIENCE, DEFAULT_ISSUER } from '../../../graphql-api/app/auth-config.ts';

/** The verification settings of the tests' API processes. */
export const TEST_SECRET = 'a secret of the tests, which is long enough';

/** A token, by default of an owner. */
export function tokenFor(
  organizationId: string,
  options: Partial<TokenOptions> = {},
): Promise<string> {
  return signToken({
    secret: TEST_SECRET,
    issuer: DEFAULT_ISSUER,
    audience: DEFAULT_AUDIENCE,
    userId: 'user-of-a-test',
    roles: ['owner'],
    ttlSeconds: 600,
    ...options,
    organizationId,
  });
}
