// Shared by all REST routes: the app with its OpenAPI document, access rules, rate limits, errors,
// headers and the parts of declarations.

import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { contractRejections } from '../contract-rejections.ts';
import { cursorOf, type Listed, PAGE_SIZE_MAX, type Page } from '../database/page.ts';
import type { HttpEnv } from '../http-env.ts';
import { IDEMPOTENCY_KEY } from '../idempotently.ts';
import { type AccessRule, permitted } from '../permit.ts';
import { Rejected, reject } from '../rejected.ts';

export type RestApp = OpenAPIHono<HttpEnv>;

/** The default of `limit`. */
const PAGE_SIZE_DEFAULT = 50;

export function createRestApp(): RestApp {
  return new OpenAPIHono<HttpEnv>({
    defaultHook: (result, c) => {
      // Hono treats a body without a media type as an empty object.
      if (result.target === 'json' && c.req.header('content-type') === undefined)
        reject(hasBody(c.req.raw.headers) ? 'UNSUPPORTED_MEDIA_TYPE' : 'INVALID_BODY', {
          message: 'Send a JSON object as application/json.',
        });
      if (!result.success) throw new Rejected(contractRejections(result.error));
    },
  });
}

function hasBody(headers: Headers): boolean {
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
}

/** The first middleware of a route: checks access and deducts points from the tenant. */
export function allow(rule: AccessRule, points = 1): MiddlewareHandler<HttpEnv> {
  return async ({ var: { context } }, next) => {
    const { organizationId } = permitted(context.viewer, rule);
    const { deps } = context;
    const taken = deps.points.take(organizationId, points, deps.clock.nowMs());
    if (!taken.isGranted)
      reject('THROTTLED', { facts: { retryAfterSeconds: taken.retryAfterSeconds } });
    await next();
  };
}

export const errorContract = z
  .looseObject({
    detail: z.string().meta({ description: 'A human-readable message, or an error code.' }),
  })
  .meta({ id: 'Error', example: { detail: 'Your roles do not allow this action.' } });

const ERRORS = {
  400: 'The input is malformed or has the wrong type.',
  401: 'The bearer token is missing or invalid.',
  403: 'The caller is not allowed to perform this action.',
  404: 'The object does not exist, or belongs to another organization.',
  409: 'The current state of the object does not allow this action.',
  422: 'The request is well-formed but cannot be carried out. See `detail`.',
  429: 'The rate limit was exceeded. Retry after the number of seconds in Retry-After.',
  503: 'The warehouse is unavailable. Retry after the number of seconds in Retry-After.',
} as const;

export type ErrorStatus = keyof typeof ERRORS;

/** The error responses of a route; with an Idempotency-Key, use `changeErrors`. */
export function errors(...statuses: readonly ErrorStatus[]) {
  const all = [...new Set([...statuses, 401 as const, 403 as const, 429 as const])];
  const content = { 'application/json': { schema: errorContract } };
  return Object.fromEntries(
    all.map(status => [status, { description: ERRORS[status], content }]),
  ) as Record<(typeof all)[number], { description: string; content: typeof content }>;
}

/** The error responses of a route with an Idempotency-Key: invalid, in progress, or reused. */
export function changeErrors(...statuses: readonly ErrorStatus[]) {
  return errors(400, 409, 422, ...statuses);
}

export function json<S extends z.ZodType>(description: string, schema: S) {
  return { description, content: { 'application/json': { schema } } };
}

/** `{"status":"SUCCESS","items":[…],"next_cursor":null}` */
export function listOf<S extends z.ZodType>(item: S) {
  return z.object({
    status: z.literal('SUCCESS'),
    items: z.array(item),
    next_cursor: z.string().nullable().meta({
      description: 'The `cursor` of the next page; null on the last page.',
      example: null,
    }),
  });
}

/** A page as `listOf` declares it. */
export function listAnswer<T extends Listed, R>(
  { items, hasNextPage }: Page<T>,
  show: (item: T) => R,
) {
  const last = items.at(-1);
  return {
    status: 'SUCCESS' as const,
    items: items.map(show),
    next_cursor: hasNextPage && last !== undefined ? cursorOf(last) : null,
  };
}

export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_SIZE_MAX)
    .default(PAGE_SIZE_DEFAULT)
    .meta({ description: 'The maximum number of items to return.', example: 20 }),
  cursor: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The `next_cursor` of the previous page.' }),
});

export const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().optional().meta({
    description:
      'A key chosen by the client, such as a UUID. For 24 hours, a repeated request with the same key and input returns the stored response.',
    // Validated where it is used, for GraphQL too.
    pattern: IDEMPOTENCY_KEY.source,
    example: '5a9c2f1e-8e0b-4a6e-9f57-0d6c1f3b2a47',
  }),
});

/** Validated before any route, with the token (platform/identify.ts). */
export const workspaceHeader = z.object({
  'X-Workspace-ID': z.string().optional().meta({
    description:
      'The UUID of the workspace, or its global ID in GraphQL. Optional if the token specifies a workspace or the organization has only one.',
    example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10',
  }),
});

export const workspaceChangeHeaders = workspaceHeader.extend(idempotencyHeader.shape);

/** Includes an example, composed of the examples of the properties. */
export function bodyOf<S extends z.ZodType>(schema: S) {
  return {
    required: true,
    content: { 'application/json': { schema, example: exampleOf(schema) } },
  } as const;
}

function exampleOf(schema: z.ZodType): unknown {
  const printed = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const name = printed.$ref?.split('/').at(-1);
  const { example, properties = {} } = (name && printed.$defs?.[name]) || printed;
  if (example !== undefined) return example;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, property]) =>
      typeof property === 'object' && property.example !== undefined
        ? [[key, property.example]]
        : [],
    ),
  );
}

/** `{"status":"SUCCESS", …}` */
export function resultOf<S extends z.ZodRawShape>(shape: S) {
  return z.object({ status: z.literal('SUCCESS'), ...shape });
}
