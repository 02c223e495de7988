import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_AUDIENCE, DEFAULT_ISSUER, hasPublicKeys } from '../graphql-api/app/auth-config.ts';
import { readConfig as readApiConfig } from '../graphql-api/app/config.ts';
import { readConfig as readIngestConfig } from '../ingest/config.ts';
import { clickhouseUrls } from '../schema/environment/clickhouse-urls.ts';
import { type DatabaseUrls, databaseUrls } from '../schema/environment/database-urls.ts';
import { BESIDE_INGEST_NICE, NICE_MAX } from './clickhouse/priority.ts';
import { LOOPBACK } from './ports.ts';

export type Config = {
  readonly dataDir: string;
  /** The address on which the front and ingest listen; the engines stay on the loopback interface. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly ingestPort: number;
  readonly apiPort: number;
  readonly gatewayPort: number;
  readonly postgresPort: number;
  readonly clickhousePort: number;
  /** The niceness of the embedded ClickHouse. */
  readonly clickhouseNice: number;
  /** Undefined if the embedded engine is started. */
  readonly databaseUrls: DatabaseUrls | undefined;
  readonly clickhouseUrl: string | undefined;
  /** ClickHouse of further cells, by slug. */
  readonly cellUrls: Record<string, string>;
  readonly clickhouseCluster: string | undefined;
  readonly logLevel: string;
  /** The issuer and the audience of tokens. */
  readonly auth: { readonly issuer: string; readonly audience: string };
};

const port = (byDefault: number) =>
  z.coerce
    .number({ error: 'must be a port number from 0 to 65535' })
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(65_535, 'must be 65535 or less')
    .default(byDefault);
const address = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be a URL such as ${example}` }).optional();

const VARIABLES = z
  .object({
    DATA_DIR: z.string().default('./.data'),
    HOST: z.string().default(LOOPBACK),
    PORT: port(3000),
    INGEST_PORT: port(8080),
    API_PORT: port(4000),
    GATEWAY_PORT: port(0),
    POSTGRES_PORT: port(5433),
    CLICKHOUSE_PORT: port(8123),
    CLICKHOUSE_NICE: z.coerce
      .number({ error: `must be a number from 0 to ${NICE_MAX}` })
      .int('must be a whole number')
      .min(0, 'must be 0 or more')
      .max(NICE_MAX, `must be ${NICE_MAX} or less`)
      .default(BESIDE_INGEST_NICE),
    DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user:password@host:5432/database'),
    CLICKHOUSE_URL: address(/^https?$/, 'http://host:8123'),
    CLICKHOUSE_CLUSTER: z.string().optional(),
  })
  .superRefine((variables, context) => {
    const names = [
      'PORT',
      'INGEST_PORT',
      'API_PORT',
      'GATEWAY_PORT',
      'POSTGRES_PORT',
      'CLICKHOUSE_PORT',
    ] as const;
    for (const [index, name] of names.entries()) {
      const other = names.slice(0, index).find(earlier => variables[earlier] === variables[name]);
      if (other === undefined || variables[name] === 0) continue;
      context.addIssue({ code: 'custom', path: [name], message: `must differ from ${other}` });
    }
  });

/** Reads the environment; blank variables count as unset, and all errors are reported together. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const result = VARIABLES.safeParse(present);
  const ingest = ingestConfig(present);
  const apiProblems = apiFaults(present);
  if (!result.success || 'faults' in ingest || apiProblems.length > 0) {
    const issues = result.error?.issues ?? [];
    const faults = issues.map(issue => `  ${issue.path.join('.')} ${issue.message}`);
    if ('faults' in ingest) faults.push(...ingest.faults);
    // Both programs read some of the settings; each error is reported once.
    faults.push(...apiProblems.filter(fault => !faults.includes(fault)));
    throw new Error(`The configuration is invalid.\n${faults.join('\n')}`);
  }
  const variables = result.data;
  const { default: _default, ...cellUrls } = clickhouseUrls(present);
  return {
    dataDir: resolve(variables.DATA_DIR),
    host: variables.HOST,
    port: variables.PORT,
    ingestPort: variables.INGEST_PORT,
    apiPort: variables.API_PORT,
    gatewayPort: variables.GATEWAY_PORT,
    postgresPort: variables.POSTGRES_PORT,
    clickhousePort: variables.CLICKHOUSE_PORT,
    clickhouseNice: variables.CLICKHOUSE_NICE,
    databaseUrls: variables.DATABASE_URL === undefined ? undefined : databaseUrls(present),
    clickhouseUrl: variables.CLICKHOUSE_URL,
    cellUrls,
    clickhouseCluster: variables.CLICKHOUSE_CLUSTER,
    logLevel: ingest.logLevel,
    auth: {
      issuer: present.AUTH_ISSUER ?? DEFAULT_ISSUER,
      audience: present.AUTH_AUDIENCE ?? DEFAULT_AUDIENCE,
    },
  };
}

/** Ingest starts last, but its configuration is validated before anything is started. */
function ingestConfig(
  present: Record<string, string | undefined>,
): { logLevel: string } | { faults: string[] } {
  const names = [
    'LOG_LEVEL',
    'INGEST_THREADS',
    'SPOOL_MAX_BYTES',
    'DRAIN_NOTICE_MS',
    'INGEST_OPERATIONS_PORT',
  ];
  const own = Object.fromEntries(names.map(name => [name, present[name]]));
  try {
    // The addresses are those of the engines, which are not there yet.
    return readIngestConfig({
      ...own,
      DATABASE_SYSTEM_URL: 'postgres://system@engine',
      CLICKHOUSE_URL: 'http://engine',
    });
  } catch (error) {
    // Its first line is the same as ours.
    return { faults: (error as Error).message.split('\n').slice(1) };
  }
}

/** The same for the API. Missing secrets are created, but never in production. */
function apiFaults(present: Record<string, string | undefined>): string[] {
  const { API_PORT: _port, API_HOST: _host, DATABASE_URL: owner, ...others } = present;
  const own = owner === undefined ? undefined : databaseUrls(present);
  const isProduction = present.NODE_ENV === 'production';
  const hasKeys = present.AUTH_JWT_SECRET !== undefined || hasPublicKeys(present);
  try {
    readApiConfig({
      ...others,
      API_OPERATIONS_PORT: present.API_OPERATIONS_PORT ?? '0',
      ...(isProduction || hasKeys
        ? {}
        : { AUTH_JWT_SECRET: 'created by the first start of the service' }),
      ...(isProduction || present.ENCRYPTION_KEYS !== undefined
        ? {}
        : { ENCRYPTION_KEYS: `first:${Buffer.alloc(32).toString('base64')}` }),
      API_HOST: '127.0.0.1',
      DATABASE_APP_URL: own?.app ?? 'postgres://app@engine',
      DATABASE_SYSTEM_URL: own?.system ?? 'postgres://system@engine',
      CLICKHOUSE_URL: 'http://engine',
      INGEST_URL: 'http://engine',
      INTERNAL_TOKEN: present.INTERNAL_TOKEN ?? 'made-by-the-first-start-of-the-service',
    });
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
}
