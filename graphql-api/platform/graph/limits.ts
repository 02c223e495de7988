// The limits of one GraphQL document, with reasons. The rate limit of a tenant is configured by
// RATE_POINTS_PER_SECOND.

/** Dashboard queries reach depth 8; GraphiQL's introspection query needs 15. */
export const DEPTH_MAX = 16;
/** A dashboard page uses a handful of aliases. */
export const ALIASES_MAX = 20;
/** Enough for @include and @idempotent on some fields; hundreds only slow down validation. */
export const DIRECTIVES_MAX = 30;
/** GraphiQL's introspection query has about 250 tokens. */
export const TOKENS_MAX = 2_000;
/** Enough for a full page of objects with some nested objects, but not for pages of pages. */
export const COST_MAX = 1_000;
/** Documents are far smaller; template bodies are the largest input. */
export const BODY_BYTES_MAX = 262_144;
