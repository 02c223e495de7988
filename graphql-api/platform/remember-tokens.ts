import type { Claims, VerifyToken } from './verify-token.ts';

/** A key that its issuer withdraws counts for this much longer. */
const REMEMBERED_MS = 30_000;
/** Some 2 KB each. */
const REMEMBERED_MAX = 5_000;

/**
 * A dashboard sends the same token with every request of a session, and a signature takes longer to
 * check than a row to read. Only whole, valid tokens are remembered, and none past its own expiry.
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
