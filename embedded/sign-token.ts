import { SignJWT } from 'jose';
import type { Role } from '../graphql-api/platform/viewer.ts';

export type TokenOptions = {
  readonly secret: string;
  readonly issuer: string;
  readonly audience: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId?: string | undefined;
  readonly roles: readonly Role[];
  readonly ttlSeconds: number;
};

/** Signs a token as an issuer would, for development and tests. Production only verifies tokens. */
export function signToken(options: TokenOptions): Promise<string> {
  const { organizationId, workspaceId, roles } = options;
  const claims = {
    org_id: organizationId,
    roles,
    ...(workspaceId === undefined ? {} : { workspace_id: workspaceId }),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(options.userId)
    .setIssuer(options.issuer)
    .setAudience(options.audience)
    .setIssuedAt()
    .setExpirationTime(`${options.ttlSeconds} s`)
    .sign(new TextEncoder().encode(options.secret));
}
