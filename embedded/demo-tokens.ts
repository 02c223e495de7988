import type { Role } from '../graphql-api/platform/viewer.ts';
import type { Config } from './config.ts';
import type { Demo } from './opened.ts';
import { findSecrets } from './secrets.ts';
import { signToken } from './sign-token.ts';

/** For a day's work. */
const TOKEN_SECONDS = 12 * 3_600;

export type DemoTokens = {
  readonly owner: string;
  readonly admin: string;
  readonly agency?: string;
};

/**
 * Undefined with another issuer's keys, or in production: signing is then impossible or not
 * allowed.
 */
export async function demoTokens(
  { dataDir, auth }: Config,
  { organizationId, agencyOrganizationId }: Demo,
): Promise<DemoTokens | undefined> {
  const { jwtSecret } = findSecrets(dataDir, process.env);
  if (jwtSecret === undefined || process.env.NODE_ENV === 'production') return undefined;
  const sign = (userId: string, role: Role, ofOrganizationId = organizationId) =>
    signToken({
      ...auth,
      secret: jwtSecret,
      userId,
      organizationId: ofOrganizationId,
      roles: [role],
      ttlSeconds: TOKEN_SECONDS,
    });
  return {
    owner: await sign('demo-owner', 'owner'),
    admin: await sign('demo-admin', 'platform_admin'),
    ...(agencyOrganizationId !== undefined && {
      agency: await sign('demo-agency-owner', 'owner', agencyOrganizationId),
    }),
  };
}
