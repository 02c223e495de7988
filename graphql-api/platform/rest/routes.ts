// Declares the common kinds of REST route: a paginated list, one object or report, a report with a nested
// input, and a change by an action with an idempotency key.

import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from '../context.ts';
import type { Listed, Page, PageRequest } from '../database/page.ts';
import type { AccessRule } from '../permit.ts';
import { type Action, runAction } from '../run-action.ts';
import { QUESTION_POINTS } from '../warehouse/ask.ts';
import { CSV_TYPE, type CsvTable, csvAnswer, prefersCsv } from './csv.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  type ErrorStatus,
  errors,
  idempotencyHeader,
  json,
  listAnswer,
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

type ListRoute<
  Item,
  Row extends Listed,
  Query extends z.ZodRawShape,
  Params extends z.ZodObject | undefined,
> = Texts & {
  /** Defaults to members. */
  readonly access?: AccessRule;
  readonly params?: Params;
  /** Filters, in addition to `limit` and `cursor`. */
  readonly query?: Query;
  readonly item: z.ZodType<Item>;
  /** The description of a page. */
  readonly items: string;
  readonly page: (
    context: Context,
    page: PageRequest,
    query: z.output<z.ZodObject<Query>> & OutputOf<Params>,
  ) => Promise<Page<Row>>;
  readonly show: (row: Row, context: Context) => Item;
};

/** A list of rows, newest first. */
export function listRoute<
  Item,
  Row extends Listed,
  Query extends z.ZodRawShape = Record<never, never>,
  Params extends z.ZodObject | undefined = undefined,
>(app: RestApp, route: ListRoute<Item, Row, Query, Params>): void {
  const { params } = route;
  const declared = createRoute({
    method: 'get',
    ...textsOf(route),
    middleware: allow(route.access ?? 'member'),
    request: {
      ...(params && { params }),
      ...(route.isInWorkspace && { headers: workspaceHeader }),
      query: pageQuery.extend(route.query ?? {}),
    },
    responses: {
      200: json(route.items, listOf(route.item)),
      ...errors(...(params ? ([400, 404] as const) : ([400] as const))),
    },
  });
  app.openapi(declared, async c => {
    const asked = c.req.valid('query' as never) as z.output<typeof pageQuery>;
    const { limit, cursor, ...query } = asked;
    const { context } = c.var;
    const request = { first: limit, after: cursor };
    const given = { ...query, ...(params && (c.req.valid('param' as never) as object)) };
    const page = await route.page(context, request, given as never);
    return c.json(listAnswer(page, row => route.show(row, context)) as never, 200);
  });
}

type OutputOf<Schema> = Schema extends z.ZodObject ? z.output<Schema> : unknown;

/** The description of the response, and its properties besides `status` or its whole schema. */
type Result<Shown> = readonly [description: string, shown: Shown];
type ShownOf<Shown> = Shown extends z.ZodObject
  ? z.output<Shown>
  : Shown extends z.ZodRawShape
    ? z.output<z.ZodObject<Shown>>
    : never;

type ChangeRoute<
  Params extends z.ZodObject | undefined,
  Body extends z.ZodObject | undefined,
  Shown extends z.ZodRawShape | z.ZodObject,
  I,
  O,
> = Texts & {
  /** Defaults to POST. */
  readonly method?: 'post' | 'patch' | 'put' | 'delete';
  /** Defaults to owners. */
  readonly access?: AccessRule;
  readonly params?: Params;
  readonly body?: Body;
  readonly result: Result<Shown>;
  /** The contract of the response. Defaults to 200. */
  readonly status?: 200 | 201;
  /** Error statuses, in addition to those of every change. */
  readonly statuses?: readonly ErrorStatus[];
  /** The scope of idempotency keys: the name of the mutation. */
  readonly operation: string;
  readonly action: Action<I, O>;
  /** Builds the input from the path parameters and the body. */
  readonly input: (given: OutputOf<Params> & OutputOf<Body>, context: Context) => I | Promise<I>;
  readonly show: (output: O, context: Context) => Promise<ShownOf<Shown>> | ShownOf<Shown>;
};

/** A change by an action. Costs ten points, as a mutation does. */
export function changeRoute<
  Shown extends z.ZodRawShape | z.ZodObject,
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
      [status]: responseOf(route.result),
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
    return c.json(answerOf(route.result, await route.show(output, context)) as never, status);
  });
}

type ShowRoute<
  Params extends z.ZodObject | undefined,
  Shown extends z.ZodRawShape | z.ZodObject,
> = Texts & {
  /** Defaults to members. */
  readonly access?: AccessRule;
  /** The cost of a call in points. Defaults to 1. */
  readonly points?: number;
  readonly params?: Params;
  readonly result: Result<Shown>;
  /** Error statuses, in addition to those of every route with these parameters. */
  readonly statuses?: readonly ErrorStatus[];
  readonly show: (params: OutputOf<Params>, context: Context) => Promise<ShownOf<Shown>>;
};

/** A single object or report. */
export function showRoute<
  Shown extends z.ZodRawShape | z.ZodObject,
  Params extends z.ZodObject | undefined = undefined,
>(app: RestApp, route: ShowRoute<Params, Shown>): void {
  const { params, statuses = [] } = route;
  const declared = createRoute({
    method: 'get',
    ...textsOf(route),
    middleware: allow(route.access ?? 'member', route.points),
    request: {
      ...(params && { params }),
      ...(route.isInWorkspace && { headers: workspaceHeader }),
    },
    responses: {
      200: responseOf(route.result),
      ...errors(
        ...(params ? ([400, 404] as const) : route.isInWorkspace ? ([400] as const) : []),
        ...statuses,
      ),
    },
  });
  app.openapi(declared, async c => {
    const given = params && (c.req.valid('param' as never) as object);
    const shown = await route.show(given as never, c.var.context);
    return c.json(answerOf(route.result, shown) as never, 200);
  });
}

type ReportRoute<Body extends z.ZodObject, Shown extends z.ZodRawShape | z.ZodObject> = Texts & {
  readonly body: Body;
  readonly result: Result<Shown>;
  readonly show: (body: z.output<Body>, context: Context) => Promise<ShownOf<Shown>>;
  /** The response as a table, for clients that prefer CSV. */
  readonly csv: (shown: ShownOf<Shown>, body: z.output<Body>) => CsvTable;
};

/** A CSV file has no place for `next_cursor`. */
const NEXT_CURSOR_HEADER = 'X-Next-Cursor';

/**
 * A report of one ClickHouse query, for members, as JSON or CSV. A POST because its input is nested; it
 * changes nothing.
 */
export function reportRoute<Body extends z.ZodObject, Shown extends z.ZodRawShape | z.ZodObject>(
  app: RestApp,
  route: ReportRoute<Body, Shown>,
): void {
  const declared = createRoute({
    method: 'post',
    ...textsOf(route),
    middleware: allow('member', QUESTION_POINTS),
    request: { headers: workspaceHeader, body: bodyOf(route.body) },
    responses: { 200: reportResponseOf(route), ...errors(400, 422, 503) },
  });
  const filename = `${route.path.split('/').at(-1)}.csv`;
  app.openapi(declared, async c => {
    const body = c.req.valid('json' as never) as z.output<Body>;
    const shown = await route.show(body, c.var.context);
    if (prefersCsv(c)) {
      const answer = csvAnswer(filename, route.csv(shown, body));
      const { next_cursor: next } = shown as { readonly next_cursor?: string | null };
      if (next != null) answer.headers.set(NEXT_CURSOR_HEADER, next);
      return answer as never;
    }
    c.header('Vary', 'Accept');
    return c.json(answerOf(route.result, shown) as never, 200);
  });
}

function reportResponseOf<Body extends z.ZodObject, Shown extends z.ZodRawShape | z.ZodObject>({
  body,
  result,
}: ReportRoute<Body, Shown>) {
  const { description, content } = responseOf(result);
  const nextCursor = {
    description: 'For CSV responses: the `cursor` of the next page; absent on the last page.',
    schema: { type: 'string' as const },
  };
  return {
    description: `${description} With \`Accept: text/csv\`, the response is a CSV file with a header row.`,
    ...('cursor' in body.shape && { headers: { [NEXT_CURSOR_HEADER]: nextCursor } }),
    content: { ...content, [CSV_TYPE]: { schema: z.string() } },
  };
}

const CHANGE_POINTS = 10;

function textsOf({ path, tag, operationId, summary, description }: Texts) {
  return { path, tags: [tag], operationId, summary, ...(description && { description }) };
}

function responseOf([description, shown]: Result<z.ZodRawShape | z.ZodObject>) {
  return json(description, isWhole(shown) ? shown : resultOf(shown));
}

function answerOf([, shown]: Result<z.ZodRawShape | z.ZodObject>, answer: object): object {
  return isWhole(shown) ? answer : { status: 'SUCCESS', ...answer };
}

function isWhole(shown: z.ZodRawShape | z.ZodObject): shown is z.ZodObject {
  return shown instanceof z.ZodObject;
}
