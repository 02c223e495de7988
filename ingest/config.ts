// The only module that reads the environment. A blank variable counts as absent. All problems are
// reported at once.

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import {
  clickhouseProblems,
  clickhouseUrls,
  insertQuorums,
  quorumProblems,
} from '../schema/environment/clickhouse-urls.ts';
import { databaseUrls } from '../schema/environment/database-urls.ts';
import { drainNoticeEnvironment, drainNoticeMs } from '../schema/environment/drain-notice.ts';
import {
  ENCRYPTION_KEYS_FORM,
  type EncryptionKey,
  parseEncryptionKeys,
} from '../schema/environment/encryption-keys.ts';
import {
  type OperationsAddress,
  operationsAddress,
  operationsProblems,
  operationsVariables,
} from '../schema/environment/operations-address.ts';
import { missingInProduction } from '../schema/environment/production.ts';
import type { GatewayConfig } from './gateway/gateway-config.ts';
import { gatewayEnvironment, readGatewayConfig } from './gateway/gateway-config.ts';
import {
  type BrokersConfig,
  brokersEnvironment,
  brokersProblems,
  readBrokersConfig,
} from './replicated-log/brokers-config.ts';

export type Config = {
  readonly dataDirectory: string;
  readonly host: string;
  readonly port: number;
  /** For /metrics and /internal; undefined if they are on `port`. */
  readonly operations: OperationsAddress | undefined;
  readonly threads: number;
  readonly spoolBytesMax: number;
  /**
   * What the process does with a replicated log: accept requests, deliver the log's rows, or both.
   */
  readonly role: 'all' | 'accept' | 'insert';
  /** The cluster of the replicated log; undefined if accepted rows go to the spool. */
  readonly brokers: BrokersConfig | undefined;
  readonly databaseUrl: string;
  /** By the slug of the cell; see clickhouse-addresses.ts. */
  readonly clickhouseUrls: Readonly<Record<string, string>>;
  /** How many replicas must have a block before it counts as stored, by the slug of the cell. */
  readonly insertQuorums: Readonly<Record<string, number>>;
  /** The credential of the control plane. If undefined, its endpoints do not exist. */
  readonly internalTokens: readonly string[];
  /** Keys that decrypt the secrets of workspaces. If empty, none of these secrets are available. */
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly gateway: GatewayConfig;
  readonly logLevel: string;
  /** The file with the clock offset of a development service. */
  readonly clockFile: string | undefined;
  /** How long to serve while not ready, and then how long idle connections stay open. */
  readonly drainNoticeMs: number;
};

const DEFAULT_SPOOL_BYTES = 10 * 1024 ** 3;

/** The token allows sending events for every tenant, so it must not be guessable. */
const INTERNAL_TOKEN_BYTES_MIN = 32;

const internalToken = z
  .string()
  .regex(/^[!-~]+$/, 'must be printable ASCII without spaces')
  .min(INTERNAL_TOKEN_BYTES_MIN, `must have at least ${INTERNAL_TOKEN_BYTES_MIN} characters`)
  .optional();

const environment = z.object({
  DATA_DIR: z.string().default('./.data'),
  INGEST_HOST: z.string().default('0.0.0.0'),
  INGEST_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  ...operationsVariables('INGEST'),
  INGEST_THREADS: z.coerce.number().int().min(1).max(64).default(availableParallelism()),
  SPOOL_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1024 * 1024)
    .default(DEFAULT_SPOOL_BYTES),
  ...brokersEnvironment,
  INGEST_ROLE: z.enum(['all', 'accept', 'insert']).default('all'),
  INTERNAL_TOKEN: internalToken,
  /** The earlier one, still accepted while it is rotated. */
  INTERNAL_TOKEN_PREVIOUS: internalToken,
  ENCRYPTION_KEYS: z
    .string()
    .transform(parseEncryptionKeys)
    .refine(keys => keys !== undefined, ENCRYPTION_KEYS_FORM)
    .optional(),
  ...gatewayEnvironment,
  CLOCK_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
  ...drainNoticeEnvironment,
});

const REQUIRED_IN_PRODUCTION = {
  DATA_DIR: 'the folder of the spool, on a disk that is kept across releases',
  INGEST_HOST: 'the address to listen on, such as 127.0.0.1 behind a proxy on the same machine',
  DATABASE_SYSTEM_URL: 'a URL that logs in as service_system, not as the owner of the tables',
  INTERNAL_TOKEN: 'the same value that the API uses',
  ENCRYPTION_KEYS: 'the same value that the API uses',
};

/** Throws one error that lists every invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`);
  if (given.NODE_ENV !== 'production' && !given.DATABASE_URL && !given.DATABASE_SYSTEM_URL)
    problems.push('DATABASE_URL: set it (or DATABASE_SYSTEM_URL) to a postgres:// URL');
  problems.push(...missingInProduction(given, REQUIRED_IN_PRODUCTION));
  problems.push(...clickhouseProblems(given), ...quorumProblems(given));
  problems.push(...operationsProblems('INGEST', given));
  problems.push(...brokersProblems(given));
  if (given.INGEST_ROLE !== undefined && given.LOG_BROKERS === undefined)
    problems.push(
      'INGEST_ROLE: requires LOG_BROKERS, because a spool is delivered only by the node that wrote it',
    );
  if (given.NODE_ENV === 'production' && given.CLOCK_FILE)
    problems.push('CLOCK_FILE: is not allowed in production');
  if (!parsed.success || problems.length > 0)
    throw new Error(
      `The configuration is invalid.\n${problems.map(line => `  ${line}`).join('\n')}`,
    );
  const values = parsed.data;
  return {
    dataDirectory: resolve(values.DATA_DIR),
    host: values.INGEST_HOST,
    port: values.INGEST_PORT,
    operations: operationsAddress(values.INGEST_OPERATIONS_HOST, values.INGEST_OPERATIONS_PORT),
    threads: values.INGEST_THREADS,
    spoolBytesMax: values.SPOOL_MAX_BYTES,
    role: values.INGEST_ROLE,
    brokers: readBrokersConfig(values),
    databaseUrl: given.DATABASE_SYSTEM_URL ?? databaseUrls(given).system,
    clickhouseUrls: clickhouseUrls(given),
    insertQuorums: insertQuorums(given),
    internalTokens: [values.INTERNAL_TOKEN, values.INTERNAL_TOKEN_PREVIOUS].filter(
      token => token !== undefined,
    ),
    encryptionKeys: values.ENCRYPTION_KEYS ?? [],
    gateway: readGatewayConfig(values),
    logLevel: values.LOG_LEVEL,
    clockFile: values.CLOCK_FILE,
    drainNoticeMs: drainNoticeMs(values.DRAIN_NOTICE_MS, given.NODE_ENV === 'production'),
  };
}
