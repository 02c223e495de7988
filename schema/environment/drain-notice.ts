// DRAIN_NOTICE_MS: how long a program that stops waits for proxies and load balancers.

import { z } from 'zod';

/**
 * In production, behind a proxy. Load balancers that check `/readyz` every second take a node out
 * after two checks, Kubernetes does within about a second, and the proxies in `deploy/` close idle
 * connections after 3 s.
 */
const IN_PRODUCTION_MS = 4_000;
/** Leaves the rest of the 30 s before a kill for open requests and the spool. */
const MAX_MS = 5_000;

export const drainNoticeEnvironment = {
  DRAIN_NOTICE_MS: z.coerce.number().int().min(0).max(MAX_MS).optional(),
};

/** Without a proxy, in development, nobody needs to notice. */
export function drainNoticeMs(set: number | undefined, isProduction: boolean): number {
  return set ?? (isProduction ? IN_PRODUCTION_MS : 0);
}
