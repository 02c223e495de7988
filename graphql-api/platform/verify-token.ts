import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import type { AuthConfig } from './config.ts';
import { ROLES, type Role } from './viewer.ts';

/** The claims of a token whose signature was verified. */
export type Claims = {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string | undefined;
  readonly roles: ReadonlySet<Role>;
  readonly expiresAtMs: number;
};

/** Undefined if the token is not valid, for any reason. */
export type VerifyToken = (token: string) => Promise<Claims | undefined>;

/** Clocks of machines differ, so a token is accepted this long before `nbf`, but never after `exp`. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** For fetching the issuer's keys when a token names an unknown key. */
const JWKS_TIMEOUT_MS = 5_000;

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  org_id: z.guid().toLowerCase(),
  workspace_id: z.guid().toLowerCase().optional(),
  roles: z.array(z.string()),
  exp: z.number(),
});

/**
 * The algorithms depend on the kind of key only, so a token cannot choose `none` or have a public key
 * used as a shared secret.
 */
export function createVerifyToken(auth: AuthConfig, clock: { nowMs(): number }): VerifyToken {
  const key = keyOf(auth);
  return async token => {
    const options: JWTVerifyOptions = {
      issuer: auth.issuer,
      audience: auth.audience,
      algorithms: [...ALGORITHMS[auth.keys.kind]],
      requiredClaims: ['sub', 'exp', 'org_id'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(clock.nowMs()),
    };
    try {
      const claims = readClaims((await key(token, options)).payload);
      return claims === undefined || claims.expiresAtMs <= clock.nowMs() ? undefined : claims;
    } catch (error) {
      if (isTokenError(error)) return undefined;
      throw error;
    }
  };
}

const ALGORITHMS = {
  secret: ['HS256'],
  jwks: ['RS256', 'ES256', 'EdDSA'],
} as const;

function keyOf({ keys }: AuthConfig) {
  if (keys.kind === 'secret') {
    const secret = new TextEncoder().encode(keys.secret);
    return (token: string, options: JWTVerifyOptions) => jwtVerify(token, secret, options);
  }
  const jwks: JWTVerifyGetKey = createRemoteJWKSet(new URL(keys.url), {
    timeoutDuration: JWKS_TIMEOUT_MS,
  });
  return (token: string, options: JWTVerifyOptions) => jwtVerify(token, jwks, options);
}

/** Unknown roles are ignored, because the issuer can have roles for other services. */
function readClaims(payload: JWTPayload): Claims | undefined {
  const parsed = claimsSchema.safeParse(payload);
  if (!parsed.success) return undefined;
  const { sub, org_id, workspace_id, roles, exp } = parsed.data;
  return {
    userId: sub,
    organizationId: org_id,
    workspaceId: workspace_id,
    roles: new Set(ROLES.filter(role => roles.includes(role))),
    expiresAtMs: exp * 1000,
  };
}

/** Whether the error is about the token rather than about fetching the keys. */
function isTokenError(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  // The base class is thrown if the response is not a key set.
  return error instanceof errors.JOSEError && error.code !== errors.JOSEError.code;
}

/** A token signed with a withdrawn key is accepted for at most this much longer. */
const REMEMBERED_MS = 30_000;
/** About 2 KB each. */
const REMEMBERED_MAX = 5_000;

/**
 * Caches the claims of valid tokens, at most until they expire. A dashboard sends the same token with
 * every request, and verifying a signature takes longer than reading a row.
 */
export function rememberTokens(verify: VerifyToken, clock: { nowMs(): number }): VerifyToken {
  const remembered = new Map<string, { claims: Claims; untilMs: number }>();
  return async token => {
    const nowMs = clock.nowMs();
    const known = remembered.get(token);
    if (known !== undefined && nowMs < known.untilMs) return known.claims;
    const claims = await verify(token);
    if (claims === undefined) return undefined;
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    const untilMs = Math.min(claims.expiresAtMs, nowMs + REMEMBERED_MS);
    remembered.set(token, { claims, untilMs });
    return claims;
  };
}
