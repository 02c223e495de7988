import { type DatabaseUrls, replicaUrl } from '../schema/environment/database-urls.ts';
import type { Config } from './config.ts';
import { ensureSecrets } from './secrets.ts';

export type ApiEnvironmentOptions = {
  readonly config: Pick<Config, 'dataDir'>;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type ApiEngines = { readonly databaseUrls: DatabaseUrls; readonly clickhouseUrl: string };

/** The environment of the API, except its own address and the addresses that it calls. */
export function apiEnvironment(
  { config, env }: ApiEnvironmentOptions,
  { databaseUrls, clickhouseUrl }: ApiEngines,
): Record<string, string | undefined> {
  const { jwtSecret, encryptionKeys } = ensureSecrets(config.dataDir, env);
  // Only the migrations get the owner's address.
  const { DATABASE_URL: _owner, ...others } = env;
  return {
    ...others,
    DATABASE_APP_URL: databaseUrls.app,
    DATABASE_SYSTEM_URL: databaseUrls.system,
    DATABASE_READ_URL: replicaUrl(env),
    CLICKHOUSE_URL: clickhouseUrl,
    AUTH_JWT_SECRET: jwtSecret,
    ENCRYPTION_KEYS: encryptionKeys,
    // In development, webhook receivers run on the same machine. In production the API refuses it.
    ...(env.NODE_ENV?.trim() !== 'production' && {
      WEBHOOK_ALLOW_LOOPBACK: env.WEBHOOK_ALLOW_LOOPBACK?.trim() || '1',
    }),
  };
}
