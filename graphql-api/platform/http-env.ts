import type { Context } from './context.ts';

/** The variables of Hono's handlers, in `c.var`. */
export type HttpEnv = { Variables: { context: Context } };
