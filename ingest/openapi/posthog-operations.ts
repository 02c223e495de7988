// The endpoints of PostHog's clients for OpenAPI.

import {
  POSTHOG_CONFIG_PATH,
  POSTHOG_EVENT_PATHS,
  POSTHOG_FLAGS_PATHS,
} from '../compatible/paths.ts';
import {
  posthogConfigAnswer,
  posthogEvents,
  posthogFlagsAnswer,
  posthogFlagsBody,
} from '../compatible/posthog/posthog.contract.ts';
import { ASKED, BATCHED, COMMON, ONLY, STORED, UNREADABLE } from './compatible-operations.ts';
import type { Operation } from './operation.ts';

const BODY =
  'A trailing slash in the path is ignored. The body can also be compressed with gzip without a Content-Encoding header, or sent as base64 in the `data` form field.';

/** `/i/v0/e` becomes `IV0E`. */
function nameOf(path: string): string {
  const names = path.split('/').filter(Boolean);
  return names.map(name => `${name[0]!.toUpperCase()}${name.slice(1)}`).join('');
}

export const POSTHOG_OPERATIONS: readonly Operation[] = [
  ...POSTHOG_EVENT_PATHS.map((path): Operation => {
    return {
      ...COMMON,
      operationId: `postPosthog${nameOf(path)}`,
      method: 'post',
      path,
      summary: 'Send events with PostHog’s clients',
      description: `${ONLY} ${BODY}`,
      parameters: [],
      body: posthogEvents,
      answer: STORED,
      problems: BATCHED,
    };
  }),
  ...POSTHOG_FLAGS_PATHS.map((path): Operation => {
    return {
      ...COMMON,
      operationId: `posthog${nameOf(path)}`,
      method: 'post',
      path,
      summary: 'Retrieve an empty set of feature flags for PostHog’s clients',
      description: `${ONLY} Feature flags are not supported. ${BODY}`,
      parameters: [],
      body: posthogFlagsBody,
      answer: {
        description: 'An empty set of feature flags.',
        schema: posthogFlagsAnswer,
        example: {
          flags: {},
          featureFlags: {},
          featureFlagPayloads: {},
          errorsWhileComputingFlags: false,
        },
      },
      problems: [...ASKED, ...UNREADABLE],
    };
  }),
  {
    ...COMMON,
    operationId: 'posthogConfig',
    method: 'get',
    path: POSTHOG_CONFIG_PATH,
    summary: 'Retrieve the remote configuration of PostHog’s browser client',
    description: `${ONLY} If the path ends in \`.js\`, returns the configuration as a script. Session recordings, surveys, heatmaps and feature flags are off.`,
    parameters: [{ name: 'write_key', in: 'path', required: true, description: 'The write key.' }],
    answer: {
      description: 'The configuration of the client.',
      schema: posthogConfigAnswer,
      example: {
        token: 'wk_1',
        supportedCompression: ['gzip', 'gzip-js'],
        hasFeatureFlags: false,
        sessionRecording: false,
      },
    },
    problems: ASKED,
  },
];
