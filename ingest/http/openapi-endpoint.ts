import { openApiDocument } from '../openapi/document.ts';
import { jsonReply } from './reply.ts';
import type { Endpoint } from './server.ts';

/** The OpenAPI description of all SDK endpoints. Any page may read it. */
export function openApiEndpoint(): Endpoint {
  const reply = jsonReply(200, openApiDocument(), [['Access-Control-Allow-Origin', '*']]);
  return { methods: ['GET', 'HEAD'], handle: () => reply };
}
