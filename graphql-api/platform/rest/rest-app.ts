// What every REST route stands on: the app that knows the OpenAPI document, who may, what it costs,
// and how a contract's refusal looks. A route adds a dozen lines to it.

import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { contractRejections } from '../contract-rejections.ts';
import { PAGE_SIZE_MAX } from '../database/page.ts';
import type { HttpEnv } from '../http-env.ts';
import { IDEMPOTENCY_KEY } from '../idempotently.ts';
import { type AccessRule, permitted } from '../permit.ts';
import { Rejected, reject } from '../rejected.ts';

export type RestApp = OpenAPIHono<HttpEnv>;

/** Of a list that is asked for without `limit`. */
const PAGE_SIZE_DEFAULT = 50;

export function createRestApp(): RestApp {
  return new OpenAPIHono<HttpEnv>({
    defaultHook: (result, c) => {
      // Hono reads no body without a media type, and takes it for an empty object.
      if (result.target === 'json' && c.req.header('content-type') === undefined)
        reject(hasBody(c.req.raw.headers) ? 'UNSUPPORTED_MEDIA_TYPE' : 'INVALID_BODY', {
          message: 'Send a JSON object, as application/json.',
        });
      if (!result.success) throw new Rejected(contractRejections(result.error));
    },
  });
}

function hasBody(headers: Headers): boolean {
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
}

/** First of a route's middleware: who may call it, and what it takes from the tenant's points. */
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
    detail: z.string().meta({ description: 'What is wrong, in words or as a code.' }),
  })
  .meta({ id: 'Error', example: { detail: 'Your roles do not allow this.' } });

const ERRORS = {
  400: 'Malformed or mistyped input.',
  401: 'No valid bearer token.',
  403: 'Not allowed to this caller.',
  404: 'Not there, or not yours.',
  409: 'Not possible in the present state.',
  422: 'Refused by a rule.',
  429: 'Too much at once; see Retry-After.',
} as const;

export type ErrorStatus = keyof typeof ERRORS;

/** The answers that a route may give beside its own; one that takes an Idempotency-Key has `changeErrors`. */
export function errors(...statuses: readonly ErrorStatus[]) {
  const all = [...new Set([...statuses, 401 as const, 403 as const, 429 as const])];
  const content = { 'application/json': { schema: errorContract } };
  return Object.fromEntries(
    all.map(status => [status, { description: ERRORS[status], content }]),
  ) as Record<(typeof all)[number], { description: string; content: typeof content }>;
}

/** Of a route that takes an Idempotency-Key: malformed, under way, or used with another input. */
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
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: '`cursor` of the next page; null at the end.', example: null }),
  });
}

export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_SIZE_MAX)
    .default(PAGE_SIZE_DEFAULT)
    .meta({ description: 'How many items at most.', example: 20 }),
  cursor: z.string().min(1).optional().meta({ description: '`next_cursor` of the page before.' }),
});

export const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().optional().meta({
    description:
      'Chosen by the client, such as a UUID: a repeat within 24 hours gets the first answer again.',
    // Looked at where it is used, for GraphQL as well.
    pattern: IDEMPOTENCY_KEY.source,
    example: '5a9c2f1e-8e0b-4a6e-9f57-0d6c1f3b2a47',
  }),
});

/** Looked at before any route, with the token (platform/identify.ts). */
export const workspaceHeader = z.object({
  'X-Workspace-ID': z.string().optional().meta({
    description:
      'The workspace, by its UUID or by its global id in GraphQL. May be left out where the token names the workspace, or the organisation has only one.',
    example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10',
  }),
});

export const workspaceChangeHeaders = workspaceHeader.extend(idempotencyHeader.shape);

/** With an example of the whole, made of those of its properties. */
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
