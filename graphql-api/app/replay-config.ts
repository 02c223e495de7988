import { z } from 'zod';
import { clickhouseUrls } from '../../schema/environment/clickhouse-urls.ts';
import { databaseUrls } from '../../schema/environment/database-urls.ts';
import type { Config } from '../platform/config.ts';

type ReplayConfig = Pick<Config, 'databaseUrls' | 'clickhouseUrls'> & {
  readonly ingest: NonNullable<Config['ingest']>;
};

const environment = z.object({
  INGEST_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  INTERNAL_TOKEN: z.string({ error: 'is required' }),
});

/** Throws one error that names all invalid variables. */
export function readReplayConfig(env: Readonly<Record<string, string | undefined>>): ReplayConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(given);
  const problems = (parsed.error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
  const { DATABASE_APP_URL: app, DATABASE_SYSTEM_URL: system } = given;
  if (!given.DATABASE_URL && !(app && system))
    problems.push(
      'DATABASE_URL: set it (or DATABASE_APP_URL and DATABASE_SYSTEM_URL) to a postgres:// URL',
    );
  const urls = clickhouseUrls(given);
  if (Object.keys(urls).length === 0) problems.push('CLICKHOUSE_URL: is required');
  if (!parsed.success || problems.length > 0)
    throw new Error(
      `No service is running in DATA_DIR, and the configuration is incomplete.\n${problems.map(line => `  ${line}`).join('\n')}`,
    );
  return {
    databaseUrls: app && system ? { app, system } : databaseUrls(given),
    clickhouseUrls: urls,
    ingest: { url: parsed.data.INGEST_URL, token: parsed.data.INTERNAL_TOKEN },
  };
}
