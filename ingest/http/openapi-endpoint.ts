import { openApiDocument } from '../openapi/document.ts';
import { jsonReply, type Reply } from './reply.ts';
import type { Endpoint } from './server.ts';

/** The OpenAPI description of all SDK endpoints. Any page may read it. */
export function openApiEndpoint(): Endpoint {
  // Made when somebody asks first, or each thread would make one at its start.
  let reply: Reply | undefined;
  const handle = () => {
    reply ??= jsonReply(200, openApiDocument(), [['Access-Control-Allow-Origin', '*']]);
    return reply;
  };
  return { methods: ['GET', 'HEAD'], handle };
}
