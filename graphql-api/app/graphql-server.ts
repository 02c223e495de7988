import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { createYoga } from 'graphql-yoga';
import type { AppDeps, Context } from '../platform/context.ts';
import type { GraphContext } from '../platform/graph/builder.ts';
import { documentLimits } from '../platform/graph/document-limits.ts';
import { BODY_BYTES_MAX } from '../platform/graph/limits.ts';
import { persistedOperations } from '../platform/graph/persisted-operations.ts';
import { publicErrors } from '../platform/graph/public-errors.ts';
import { queryCost } from '../platform/graph/query-cost.ts';
import { reject } from '../platform/rejected.ts';
import { schema } from './graph.ts';
import { createGraphiqlPage } from './graphiql-page.ts';
import { createKnownOperations, type KnownOperations } from './known-operations.ts';
import { isStream, streamAnswer } from './stream-answer.ts';
import { TextCache } from './text-cache.ts';

export type GraphqlHandler = (request: Request, context: Context) => Response | Promise<Response>;

/** `known` learns what is let pass. */
export function createGraphql(
  { config, points }: AppDeps,
  known: KnownOperations = createKnownOperations(config),
): GraphqlHandler {
  const { isProduction } = config;
  const { manifest } = known;
  const yoga = createYoga<GraphContext>({
    schema,
    plugins: [
      ...documentLimits({ isProduction }),
      manifest === undefined ? {} : persistedOperations(manifest),
      queryCost(points),
      publicErrors,
      known.plugin,
    ],
    // Yoga's own count documents, whatever their size.
    parserAndValidationCache: { documentCache: new TextCache(), errorCache: new TextCache() },
    graphiql: isProduction ? false : { title: 'Engagement service' },
    renderGraphiQL,
    // Of a body that is whole already; yoga would look at it through a stream.
    maxRequestBodySize: false,
    batching: false,
    multipart: false,
    landingPage: false,
    cors: false,
    // publicErrors does it, with the request's id.
    maskedErrors: false,
    logging: false,
  });
  const graphiqlPage = createGraphiqlPage();
  return async (request, context) => {
    // The schema is nobody's business who can't use it, and parsing for strangers is work.
    if (isProduction && context.viewer === undefined) return reject('UNAUTHENTICATED');
    const { url, method, headers } = request;
    const body = method === 'POST' ? await readBody(request) : undefined;
    const whole = new yoga.fetchAPI.Request(url, {
      method,
      headers: Object.fromEntries(headers),
      ...(body !== undefined && { body }),
    });
    // What yoga does before it handles a request is for GET: pages, paths and methods.
    const answer = await (body === undefined
      ? yoga.handleRequest(whole, { context })
      : yoga.handle(whole, { context, waitUntil: () => undefined }));
    if (isStream(answer)) return streamAnswer(answer);
    if (answer.headers.get('content-type')?.startsWith('text/html'))
      return graphiqlPage(await answer.text(), headers);
    // As one string, which the server sends in one piece.
    return new Response(answer.body === null ? null : await answer.text(), {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
    });
  };
}

async function readBody(request: Request): Promise<string> {
  const body = await request.text();
  if (Buffer.byteLength(body) <= BODY_BYTES_MAX) return body;
  return reject('PAYLOAD_TOO_LARGE', {
    message: `A GraphQL request is at most ${BODY_BYTES_MAX.toLocaleString('en')} bytes.`,
  });
}
