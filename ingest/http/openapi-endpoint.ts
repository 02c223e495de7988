import { openApiDocument } from '../openapi/document.ts';
import { jsonReply, type Reply } from './reply.ts';
import type { Endpoint } from './server.ts';

/** The OpenAPI description of all SDK endpoints. Any page may read it. */
export function openApiEndpoint(): Endpoint {
  // Built on the first request, because otherwise each thread would build one at its start.
  let reply: Reply | undefined;
  const handle = () => {
    reply ??= jsonReply(200, openApiDocument(), [['Access-Control-Allow-Origin', '*']]);
    return reply;
  };
  return { methods: ['GET', 'HEAD'], handle };
}
