// The two kinds of REST route: a list in pages, and a change by an action under an idempotency key.
// Each is declared by its texts, its contract and two projections; the rest is the same for all.

import { createRoute, type z } from '@hono/zod-openapi';
import type { Context } from '../context.ts';
import type { Listed, Page, PageRequest } from '../database/page.ts';
import type { AccessRule } from '../permit.ts';
import { type Action, runAction } from '../run-action.ts';
import { listAnswer } from './list-answer.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  type ErrorStatus,
  errors,
  idempotencyHeader,
  json,
  listOf,
  pageQuery,
  type RestApp,
  resultOf,
  workspaceChangeHeaders,
  workspaceHeader,
} from './rest-app.ts';

type Texts = {
  readonly path: string;
  readonly tag: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Accepts X-Workspace-ID. */
  readonly isInWorkspace?: boolean;
};

type ListRoute<Item, Row extends Listed, Query extends z.ZodRawShape> = Texts & {
  /** Left out: members. */
  readonly access?: AccessRule;
  /** Filters, in addition to `limit` and `cursor`. */
  readonly query?: Query;
  readonly item: z.ZodType<Item>;
  /** What a page is called in the document. */
  readonly items: string;
  readonly page: (
    context: Context,
    page: PageRequest,
    query: z.output<z.ZodObject<Query>>,
  ) => Promise<Page<Row>>;
  readonly show: (row: Row, context: Context) => Item;
};

/** A list of rows, newest first. */
export function listRoute<
  Item,
  Row extends Listed,
  Query extends z.ZodRawShape = Record<never, never>,
>(app: RestApp, route: ListRoute<Item, Row, Query>): void {
  const declared = createRoute({
    method: 'get',
    ...textsOf(route),
    middleware: allow(route.access ?? 'member'),
    request: {
      ...(route.isInWorkspace && { headers: workspaceHeader }),
      query: pageQuery.extend(route.query ?? {}),
    },
    responses: { 200: json(route.items, listOf(route.item)), ...errors(400) },
  });
  app.openapi(declared, async c => {
    const { limit, cursor, ...query } = c.req.valid('query');
    const { context } = c.var;
    const request = { first: limit, after: cursor };
    const page = await route.page(context, request, query as z.output<z.ZodObject<Query>>);
    return c.json(listAnswer(page, row => route.show(row, context)) as never, 200);
  });
}

type OutputOf<Schema> = Schema extends z.ZodObject ? z.output<Schema> : unknown;

type ChangeRoute<
  Params extends z.ZodObject | undefined,
  Body extends z.ZodObject | undefined,
  Shown extends z.ZodRawShape,
  I,
  O,
> = Texts & {
  /** Left out: POST. */
  readonly method?: 'post' | 'patch' | 'put' | 'delete';
  /** Left out: owners. */
  readonly access?: AccessRule;
  readonly params?: Params;
  readonly body?: Body;
  /** What the answer shows beside its status, and what it is called in the document. */
  readonly result: readonly [description: string, shape: Shown];
  /** Of the response. Defaults to 200. */
  readonly status?: 200 | 201;
  /** The statuses of errors, beside those of every change. */
  readonly statuses?: readonly ErrorStatus[];
  /** The name under which idempotency keys are kept: the name of the mutation. */
  readonly operation: string;
  readonly action: Action<I, O>;
  /** From the path's parameters and the body. */
  readonly input: (given: OutputOf<Params> & OutputOf<Body>, context: Context) => I | Promise<I>;
  readonly show: (
    output: O,
    context: Context,
  ) => Promise<z.output<z.ZodObject<Shown>>> | z.output<z.ZodObject<Shown>>;
};

/** A change by an action. Costs ten points, as a mutation does. */
export function changeRoute<
  Shown extends z.ZodRawShape,
  I,
  O,
  Params extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
>(app: RestApp, route: ChangeRoute<Params, Body, Shown, I, O>): void {
  const { method = 'post', access = 'owner', params, body, operation, action } = route;
  const { status = 200 } = route;
  const declared = createRoute({
    method,
    ...textsOf(route),
    middleware: allow(access, CHANGE_POINTS),
    request: {
      ...(params && { params }),
      headers: route.isInWorkspace ? workspaceChangeHeaders : idempotencyHeader,
      ...(body && { body: bodyOf(body) }),
    },
    responses: {
      [status]: json(route.result[0], resultOf(route.result[1])),
      ...changeErrors(...(route.statuses ?? [])),
    },
  });
  app.openapi(declared, async c => {
    const { context } = c.var;
    const given = {
      ...(body && (c.req.valid('json' as never) as object)),
      ...(params && (c.req.valid('param' as never) as object)),
    };
    const options = { operation, idempotencyKey: c.req.header('idempotency-key') };
    const input = await route.input(given as never, context);
    const output = await runAction(context, action, input, options);
    return c.json({ status: 'SUCCESS', ...(await route.show(output, context)) } as never, status);
  });
}

type ShowRoute<Params extends z.ZodObject, Shown extends z.ZodRawShape> = Texts & {
  /** Defaults to members. */
  readonly access?: AccessRule;
  readonly params: Params;
  /** The description of the response, and its properties besides `status`. */
  readonly result: readonly [description: string, shape: Shown];
  readonly show: (
    params: z.output<Params>,
    context: Context,
  ) => Promise<z.output<z.ZodObject<Shown>>>;
};

/** A single object. */
export function showRoute<Params extends z.ZodObject, Shown extends z.ZodRawShape>(
  app: RestApp,
  route: ShowRoute<Params, Shown>,
): void {
  const { params, show } = route;
  const declared = createRoute({
    method: 'get',
    ...textsOf(route),
    middleware: allow(route.access ?? 'member'),
    request: { params, ...(route.isInWorkspace && { headers: workspaceHeader }) },
    responses: {
      200: json(route.result[0], resultOf(route.result[1])),
      ...errors(400, 404),
    },
  });
  app.openapi(declared, async c => {
    const given = c.req.valid('param' as never) as z.output<Params>;
    const shown = await show(given, c.var.context);
    return c.json({ status: 'SUCCESS', ...shown } as never, 200);
  });
}

const CHANGE_POINTS = 10;

function textsOf({ path, tag, operationId, summary, description }: Texts) {
  return { path, tags: [tag], operationId, summary, ...(description && { description }) };
}
