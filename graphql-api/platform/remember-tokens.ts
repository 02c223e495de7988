import type { Claims, VerifyToken } from './verify-token.ts';

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
