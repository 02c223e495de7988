import type { Context } from './context.ts';

/** What Hono's handlers find in `c.var`. */
export type HttpEnv = { Variables: { context: Context } };
