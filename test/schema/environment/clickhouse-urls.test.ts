// Which ClickHouse a program uses.

import { expect, test } from 'vitest';
import { readConfig as readApiConfig } from '../../../graphql-api/app/config.ts';
import { readConfig as readIngestConfig } from '../../../ingest/config.ts';

test.each([
  ['ingest', readIngestConfig],
  ['the API', readApiConfig],
] as const)('in production, %s does not start without a cell', (_program, read) => {
  const problem = 'CLICKHOUSE_URL: is required in production';
  const production = { NODE_ENV: 'production' };
  expect(() => read(production)).toThrow(problem);
  // Other variables are missing, but not this one.
  for (const name of ['CLICKHOUSE_URL', 'CLICKHOUSE_URL_EU_WEST'])
    expect(() => read({ ...production, [name]: 'http://127.0.0.1:8123' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(problem) }),
    );
});
