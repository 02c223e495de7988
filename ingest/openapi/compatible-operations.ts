// The endpoints of other vendors' clients for OpenAPI, except for PostHog's.

import { z } from 'zod';
import type { ProblemCode } from '../../schema/values/problem.ts';
import {
  compatibleBatchBody,
  compatibleEvent,
  segmentSettingsAnswer,
  sourceConfigAnswer,
} from '../compatible/compatible.contract.ts';
import {
  BATCH_PATHS,
  EVENT_PATHS,
  JITSU_PATHS,
  SEGMENT_SETTINGS_PATH,
} from '../compatible/paths.ts';
import type { Operation } from './operation.ts';

const SENDER: readonly ProblemCode[] = ['INVALID_WRITE_KEY', 'CONTRACT_ONLY', 'ORIGIN_NOT_ALLOWED'];
export const UNREADABLE: readonly ProblemCode[] = [
  'MALFORMED_JSON',
  'MALFORMED_ENCODING',
  'INVALID_BODY',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNSUPPORTED_ENCODING',
];
const POSTED: readonly ProblemCode[] = [
  'EVENTS_REJECTED',
  'INVALID_SENT_AT',
  ...UNREADABLE,
  ...SENDER,
  'TENANT_MISMATCH',
  'RATE_LIMITED',
  'INTERNAL',
  'CELL_UNAVAILABLE',
  'UNAVAILABLE',
];
export const BATCHED: readonly ProblemCode[] = [
  ...POSTED,
  'INVALID_BATCH',
  'EMPTY_BATCH',
  'TOO_MANY_EVENTS',
  'INVALID_CONTEXT',
];
export const ASKED: readonly ProblemCode[] = [...SENDER, 'INTERNAL', 'UNAVAILABLE'];

export const COMMON = { tag: 'Compatible', takesBasicAuth: true } as const;
export const STORED = {
  description: 'All events are on disk.',
  schema: z.object({ status: z.literal('SUCCESS'), accepted: z.int() }),
  example: { status: 'SUCCESS', accepted: 1 },
};
export const ONLY = 'Only for SDK keys whose `accepts` is COMPATIBLE.';

/** `/v1/track` becomes `postCompatibleTrack`. */
function operationId(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return `postCompatible${name[0]!.toUpperCase()}${name.slice(1)}`;
}

/** `/api/s/s2s/track` becomes `postJitsuS2sTrack`. */
function jitsuOperationId(path: string): string {
  const names = path.split('/').slice('/api/s'.split('/').length);
  return `postJitsu${names.map(name => `${name[0]!.toUpperCase()}${name.slice(1)}`).join('')}`;
}

const EVENTS = [
  ...Object.entries(EVENT_PATHS).map(([path, type]) => [path, type, operationId(path)] as const),
  ...Object.entries(JITSU_PATHS).map(
    ([path, type]) => [path, type, jitsuOperationId(path)] as const,
  ),
];

export const COMPATIBLE_OPERATIONS: readonly Operation[] = [
  ...EVENTS.map(([path, type, operationId]): Operation => {
    return {
      ...COMMON,
      operationId,
      method: 'post',
      path,
      summary: `Send one ${type} event with another vendor’s client`,
      description: `${ONLY} Also accepts text/plain and application/x-www-form-urlencoded; the body is JSON in each case.`,
      parameters: [],
      body: compatibleEvent,
      answer: STORED,
      problems: POSTED,
    };
  }),
  ...BATCH_PATHS.map((path): Operation => {
    return {
      ...COMMON,
      operationId: operationId(path),
      method: 'post',
      path,
      summary: 'Send events with another vendor’s client',
      description: `${ONLY} These clients can also use /v1/batch. Also accepts text/plain and application/x-www-form-urlencoded; the body is JSON in each case.`,
      parameters: [],
      body: compatibleBatchBody,
      answer: STORED,
      problems: BATCHED,
    };
  }),
  {
    ...COMMON,
    operationId: 'segmentSettings',
    method: 'get',
    path: SEGMENT_SETTINGS_PATH,
    summary: 'Retrieve the settings of Segment’s browser client',
    description: `${ONLY} The settings make the client send its events to the same host.`,
    parameters: [{ name: 'write_key', in: 'path', required: true, description: 'The write key.' }],
    answer: {
      description: 'The settings of the client.',
      schema: segmentSettingsAnswer,
      example: { integrations: { 'Segment.io': { apiKey: 'wk_1', apiHost: 'example.com/v1' } } },
    },
    problems: ASKED,
  },
  ...(['/sourceConfig', '/v1/sourceConfig'] as const).map((path): Operation => {
    return {
      ...COMMON,
      operationId: path === '/sourceConfig' ? 'sourceConfig' : 'sourceConfigOfV1',
      method: 'get',
      path,
      summary: 'Retrieve the source configuration of RudderStack’s browser client',
      description: `${ONLY} A trailing slash in the path is ignored.`,
      parameters: [
        {
          name: 'writeKey',
          in: 'query',
          required: false,
          description: 'The write key, if it is not in a header.',
        },
      ],
      answer: {
        description: 'The configuration of the client, without destinations.',
        schema: sourceConfigAnswer,
        example: { source: { id: 'key-1', writeKey: 'wk_1', enabled: true } },
      },
      problems: ASKED,
    };
  }),
];
