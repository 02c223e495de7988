// The client's files for OpenAPI.

import { z } from 'zod';
import type { Operation } from './operation.ts';

const common = {
  tag: 'Client',
  method: 'get',
  isWithoutKeyHeader: true,
  answer: {
    description: 'The script, compressed with br or gzip if the request allows it.',
    mediaType: 'text/javascript',
    schema: z.string(),
    example: '(function(){…})();',
  },
  problems: ['NOT_FOUND', 'INTERNAL'],
} as const;

export const CLIENT_OPERATIONS: readonly Operation[] = [
  {
    ...common,
    operationId: 'clientScript',
    path: '/sdk.js',
    summary: 'Download the client for script tags',
    description:
      'Returns the latest release of the client. Browsers cache it for five minutes and then revalidate it with its ETag.',
    parameters: [],
  },
  {
    ...common,
    operationId: 'clientFile',
    path: '/sdk/{file}',
    summary: 'Download a client file by its version and hash',
    description:
      'Returns a file by its immutable name. Browsers cache it for a year. `npm run sdk` prints the names.',
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        description: 'The name of the file, with its version and hash.',
        example: '0.1.0-8fa3f2bb2939.js',
      },
    ],
  },
];
