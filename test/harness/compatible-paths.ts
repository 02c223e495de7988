import {
  BATCH_PATHS,
  EVENT_PATHS,
  JITSU_PATHS,
  SEGMENT_SETTINGS_PATH,
} from '../../ingest/compatible/paths.ts';

/** The paths of other vendors' clients, as OpenAPI describes them. */
export const COMPATIBLE_PATHS: readonly string[] = [
  ...Object.keys(EVENT_PATHS),
  ...BATCH_PATHS,
  ...Object.keys(JITSU_PATHS),
  SEGMENT_SETTINGS_PATH,
  '/sourceConfig',
  '/v1/sourceConfig',
];
