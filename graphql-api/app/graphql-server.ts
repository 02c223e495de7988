import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { createYoga } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { AppDeps, Context } from '../platform/context.ts';
import type { GraphContext } from '../platform/graph/builder.ts';
import { documentLimits } from '../platform/graph/document-limits.ts';
import { BODY_BYTES_MAX } from '../platform/graph/limits.ts';
import { persistedOperations, readManifest } from '../platform/graph/persisted-operations.ts';
import { publicErrors } from '../platform/graph/public-errors.ts';
import { queryCost } from '../platform/graph/query-cost.ts';
import { reject } from '../platform/rejected.ts';
import { schema } from './graph.ts';
import { createGraphiqlPage } from './graphiql-page.ts';
import { isStream, streamAnswer } from './stream-answer.ts';

export type GraphqlHandler = (request: Request, context: Context) => Response | Promise<Response>;

/** A dashboard sends some hundred documents. A parsed document of one-letter fields takes 240 bytes a
 * character, so the cache takes 100 MB at worst. */
const CACHED_CHARACTERS_MAX = 400_000;
/** Longer documents are rare; they are parsed and validated each time. */
const CACHED_DOCUMENT_CHARACTERS_MAX = 16_384;

export function createGraphql({ config, points }: AppDeps): GraphqlHandler {
  const { isProduction, persistedOperationsFile } = config;
  const yoga = createYoga<GraphContext>({
    schema,
    plugins: [
      ...documentLimits({ isProduction }),
      persistedOperationsFile === undefined
        ? {}
        : persistedOperations(readManifest(persistedOperationsFile)),
      queryCost(points),
      publicErrors,
    ],
    // Yoga's default caches count documents, whatever their size.
    parserAndValidationCache: { documentCache: documentCache(), errorCache: documentCache() },
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

function documentCache<T extends object>(): LRUCache<string, T> {
  return new LRUCache<string, T>({
    maxSize: CACHED_CHARACTERS_MAX,
    maxEntrySize: CACHED_DOCUMENT_CHARACTERS_MAX,
    sizeCalculation: (_value, text) => text.length,
  });
}

async function readBody(request: Request): Promise<string> {
  const body = await request.text();
  if (Buffer.byteLength(body) <= BODY_BYTES_MAX) return body;
  return reject('PAYLOAD_TOO_LARGE', {
    message: `A GraphQL request is at most ${BODY_BYTES_MAX.toLocaleString('en')} bytes.`,
  });
}
