import {
  BATCH_PATHS,
  EVENT_PATHS,
  JITSU_PATHS,
  POSTHOG_CONFIG_PATH,
  POSTHOG_EVENT_PATHS,
  POSTHOG_FLAGS_PATHS,
  SEGMENT_SETTINGS_PATH,
} from '../../ingest/compatible/paths.ts';

/** The paths for other vendors' clients, as OpenAPI describes them. */
export const COMPATIBLE_PATHS: readonly string[] = [
  ...Object.keys(EVENT_PATHS),
  ...BATCH_PATHS,
  ...Object.keys(JITSU_PATHS),
  ...POSTHOG_EVENT_PATHS,
  ...POSTHOG_FLAGS_PATHS,
  POSTHOG_CONFIG_PATH,
  SEGMENT_SETTINGS_PATH,
  '/sourceConfig',
  '/v1/sourceConfig',
];
