// What one GraphQL document may be, each with its reason. How much a tenant may ask over time is
// the server's configuration (RATE_POINTS_PER_SECOND).

/** Deepest question of a dashboard is about 8; GraphiQL's introspection query needs 15. */
export const DEPTH_MAX = 16;
/** A dashboard page asks for a handful of things at once. */
export const ALIASES_MAX = 20;
/** @include and @idempotent on some fields; hundreds only slow validation down. */
export const DIRECTIVES_MAX = 30;
/** GraphiQL's introspection query has about 250. */
export const TOKENS_MAX = 2_000;
/** Room for a full page of something with some fields that cost, not for pages of pages. */
export const COST_MAX = 1_000;
/** Documents are far smaller; templates' bodies are the largest input. */
export const BODY_BYTES_MAX = 262_144;
