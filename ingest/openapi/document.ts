// The OpenAPI 3.1 description of ingest, generated from the contracts that validate requests. `npm
// run openapi` prints it to ingest/openapi.json; a test fails if the two differ.

import { z } from 'zod';
import { OPENAPI_CONTACT, OPENAPI_LICENSE } from '../../schema/values/openapi-info.ts';
import { PROBLEMS, type ProblemCode, statusOf } from '../../schema/values/problem.ts';
import { type Operation, TAGS } from './operation.ts';
import { OPERATIONS } from './operations.ts';

type Json = Record<string, unknown>;

export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Event ingestion',
      version: '1',
      description:
        'The endpoints for SDKs and the payment gateway. A 200 response means that the data is on disk. After a 429, 502 or 503, retry after the number of seconds in Retry-After; after any other 5xx, retry with exponential backoff. If the body contains a unique ID, retried data is never counted twice.',
      contact: OPENAPI_CONTACT,
      license: OPENAPI_LICENSE,
    },
    servers: [{ url: '/', description: 'The host that serves this document.' }],
    tags: TAGS,
    security: [{ writeKey: [] }],
    paths,
    components: {
      securitySchemes: {
        writeKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Service-Write-Key',
          description:
            'The SDK write key of a workspace. /v1/batch reads it from writeKey in the body. All other endpoints also accept `Authorization: Bearer`.',
        },
        basicAuth: {
          type: 'http',
          scheme: 'basic',
          description: 'The write key as the user name, without a password.',
        },
      },
      schemas: { Problem: problemSchema() },
    },
  };
}

function describe(operation: Operation): Json {
  const { tag, summary, description, operationId, parameters, body, answer, problems } = operation;
  const statuses = new Map<number, ProblemCode[]>();
  for (const code of problems) {
    const status = statusOf(code);
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  const responses: Record<string, Json> = { 200: success(answer) };
  for (const [status, codes] of [...statuses].toSorted(([a], [b]) => a - b))
    responses[String(status)] = failure(status, codes);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(operation.isWithoutKeyHeader ? { security: [] } : {}),
    ...(operation.takesBasicAuth ? { security: [{ basicAuth: [] }, { writeKey: [] }] } : {}),
    parameters: parameters.map(parameter => ({ ...parameter, schema: { type: 'string' } })),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses,
  };
}

function requestBody(schema: z.ZodType): Json {
  const example = schema.meta()?.example;
  return {
    required: true,
    content: {
      'application/json': {
        schema: jsonSchema(schema),
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}

function success(answer: Operation['answer']): Json {
  const { description, mediaType = 'application/json', schema, example } = answer;
  return { description, content: { [mediaType]: { schema: jsonSchema(schema), example } } };
}

function failure(status: number, codes: readonly ProblemCode[]): Json {
  const isRetryable = status === 429 || status === 502 || status === 503;
  const seconds = {
    schema: { type: 'integer' },
    description: 'The number of seconds to wait before retrying.',
  };
  return {
    description: codes.map(code => `\`${code}\`: ${PROBLEMS[code].title}`).join('\n\n'),
    ...(isRetryable
      ? {
          headers: {
            'Retry-After': seconds,
            ...(status === 429 ? { 'X-Service-Rate-Reset': seconds } : {}),
          },
        }
      : {}),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: { detail: PROBLEMS[codes[0]!].title, code: codes[0] },
      },
    },
  };
}

function problemSchema(): Json {
  return {
    type: 'object',
    required: ['detail', 'code'],
    properties: {
      detail: {
        type: 'string',
        description: 'A human-readable description of the error and how to fix it.',
      },
      code: { type: 'string', description: 'A stable, machine-readable error code.' },
    },
  };
}

/** The input schema, without defaults and transformations. */
function jsonSchema(schema: z.ZodType): Json {
  const {
    $schema: _,
    example: _example,
    ...rest
  } = z.toJSONSchema(schema, { io: 'input' }) as Json;
  return rest;
}
