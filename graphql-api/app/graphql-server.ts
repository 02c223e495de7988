import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { createYoga, type YogaServer } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { AppDeps, Context } from '../platform/context.ts';
import type { GraphContext } from '../platform/graph/builder.ts';
import { documentLimits } from '../platform/graph/document-limits.ts';
import { BODY_BYTES_MAX } from '../platform/graph/limits.ts';
import { measureOperations } from '../platform/graph/measure-operations.ts';
import { persistedOperations, readManifest } from '../platform/graph/persisted-operations.ts';
import { publicErrors } from '../platform/graph/public-errors.ts';
import { queryCost } from '../platform/graph/query-cost.ts';
import { reject } from '../platform/rejected.ts';
import { schema } from './graph.ts';
import { createGraphiqlPage } from './graphiql-page.ts';
import { knownOperations } from './known-operations.ts';
import { isStream, streamAnswer } from './stream-answer.ts';

type GraphqlHandler = (request: Request, context: Context) => Response | Promise<Response>;

/** A dashboard uses a few hundred documents. A parsed document takes up to 240 bytes per character, so
 * the cache takes at most 100 MB. */
const CACHED_CHARACTERS_MAX = 400_000;
/** Longer documents are rare and not cached. */
const CACHED_DOCUMENT_CHARACTERS_MAX = 16_384;

export function createGraphql({ config, points, metrics }: AppDeps): GraphqlHandler {
  const { isProduction, persistedOperationsFile } = config;
  const manifest =
    persistedOperationsFile === undefined ? undefined : readManifest(persistedOperationsFile);
  // The method of the same name on the value of createYoga does more.
  let handlePost: YogaServer<GraphContext, GraphContext>['handle'] | undefined;
  const yoga = createYoga<GraphContext>({
    schema,
    plugins: [
      {
        onYogaInit({ yoga: server }) {
          handlePost = server.handle;
        },
      },
      ...documentLimits({ isProduction }),
      manifest === undefined ? {} : persistedOperations(manifest),
      measureOperations(metrics, knownOperations(manifest?.values() ?? [])),
      queryCost(points),
      publicErrors,
    ],
    // Yoga's default caches limit the number of documents, but not their size.
    parserAndValidationCache: { documentCache: documentCache(), errorCache: documentCache() },
    graphiql: isProduction ? false : { title: 'Engagement service' },
    renderGraphiQL,
    // `readBody` checks the size. Yoga would read the body as a stream again.
    maxRequestBodySize: false,
    batching: false,
    multipart: false,
    landingPage: false,
    cors: false,
    // Done by publicErrors, which adds the request ID.
    maskedErrors: false,
    logging: false,
  });
  const graphiqlPage = createGraphiqlPage();
  return async (request, context) => {
    // The schema is not public in production, and documents without a viewer need not be parsed.
    if (isProduction && context.viewer === undefined) return reject('UNAUTHENTICATED');
    const { url, method, headers } = request;
    const body = method === 'POST' ? await readBody(request) : undefined;
    const whole = new yoga.fetchAPI.Request(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    // Only GET requests need yoga's processing before and after a request: pages, paths, methods.
    const answer = await (body === undefined
      ? yoga.handleRequest(whole, { context })
      : handlePost!(whole, { context, waitUntil: () => undefined }));
    if (isStream(answer)) return streamAnswer(answer);
    if (answer.headers.get('content-type')?.startsWith('text/html'))
      return graphiqlPage(await answer.text(), headers);
    // As a string, because yoga's response would create a stream for its body.
    return new Response((await answer.text()) || null, {
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
    message: `A GraphQL request must not exceed ${BODY_BYTES_MAX.toLocaleString('en')} bytes.`,
  });
}
