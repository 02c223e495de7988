import {
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import type { AuthConfig } from './config.ts';
import { keysAt, keysOfIssuer } from './issuer-keys.ts';
import type { Role } from './viewer.ts';

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

const claimsSchema = z.object({
  userId: z.string().min(1).max(255),
  organizationId: z.guid().toLowerCase(),
  workspaceId: z.guid().toLowerCase().optional(),
  roles: z.union([z.array(z.string()), z.string().transform(text => text.split(' '))]),
  expiresAtSeconds: z.number(),
});

/**
 * The algorithms depend on the kind of key only, so a token cannot choose `none` or have a public key
 * used as a shared secret.
 */
export function createVerifyToken(auth: AuthConfig, clock: { nowMs(): number }): VerifyToken {
  const verify = verifierOf(auth);
  return async token => {
    const options: JWTVerifyOptions = {
      issuer: auth.issuer,
      audience: auth.audience,
      algorithms: [...ALGORITHMS[auth.keys.kind]],
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(clock.nowMs()),
    };
    try {
      const claims = readClaims((await verify(token, options)).payload, auth);
      return claims === undefined || claims.expiresAtMs <= clock.nowMs() ? undefined : claims;
    } catch (error) {
      if (isTokenError(error)) return undefined;
      throw error;
    }
  };
}

const PUBLIC_KEY_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

const ALGORITHMS = {
  secret: ['HS256'],
  jwks: PUBLIC_KEY_ALGORITHMS,
  discovery: PUBLIC_KEY_ALGORITHMS,
} as const;

type Verify = (token: string, options: JWTVerifyOptions) => Promise<JWTVerifyResult>;

function verifierOf({ issuer, keys }: AuthConfig): Verify {
  if (keys.kind === 'secret') {
    const secrets = keys.secrets.map(text => new TextEncoder().encode(text));
    return (token, options) => verifyWithAny(token, secrets, options);
  }
  const publicKeys = keys.kind === 'jwks' ? keysAt(keys.url) : keysOfIssuer(issuer);
  return (token, options) => jwtVerify(token, publicKeys, options);
}

async function verifyWithAny(
  token: string,
  [secret, ...others]: readonly Uint8Array[],
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, secret!, options);
  } catch (error) {
    if (others.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed))
      throw error;
    return verifyWithAny(token, others, options);
  }
}

/** Other roles are ignored, because the issuer can have roles for other services. */
function readClaims(payload: JWTPayload, { claims, roles }: AuthConfig): Claims | undefined {
  const parsed = claimsSchema.safeParse({
    userId: payload.sub,
    organizationId: claimOf(payload, claims.organization),
    workspaceId: claimOf(payload, claims.workspace),
    roles: claimOf(payload, claims.roles),
    expiresAtSeconds: payload.exp,
  });
  if (!parsed.success) return undefined;
  const { expiresAtSeconds, ...known } = parsed.data;
  return {
    ...known,
    workspaceId: known.workspaceId,
    roles: new Set(known.roles.flatMap(name => roles.get(name) ?? [])),
    expiresAtMs: expiresAtSeconds * 1000,
  };
}

/** A claim of this name, such as `https://example.com/org_id`; otherwise a path, such as `realm_access.roles`. */
function claimOf(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
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
