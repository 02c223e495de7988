// Reads the environment; no other file does. A blank variable counts as absent. All problems are
// reported at once.

import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { allAddresses } from '../../schema/environment/clickhouse-addresses.ts';
import {
  analystUrls,
  clickhouseProblems,
  clickhouseUrls,
} from '../../schema/environment/clickhouse-urls.ts';
import { databaseUrls, replicaUrl } from '../../schema/environment/database-urls.ts';
import { drainNoticeEnvironment, drainNoticeMs } from '../../schema/environment/drain-notice.ts';
import {
  ENCRYPTION_KEYS_FORM,
  parseEncryptionKeys,
} from '../../schema/environment/encryption-keys.ts';
import {
  operationsAddress,
  operationsProblems,
  operationsVariables,
} from '../../schema/environment/operations-address.ts';
import { DEFAULT_SIGN_UP_URL } from '../partner/deps.ts';
import type { Config } from '../platform/config.ts';
import {
  APPROVAL_VARIABLES,
  approvalConfig,
  approvalProblems,
} from '../templates/approval/approval-config.ts';
import type { WebhookAddresses } from '../webhooks/deps.ts';
import { isLoopbackName } from '../webhooks/dispatch/url.ts';
import { AUTH_VARIABLES, authConfig, authProblems } from './auth-config.ts';
import { CONSOLE_VARIABLES, consoleSignIn, consoleSignInProblems } from './console-sign-in.ts';
import { productionProblems } from './production-config.ts';

const INTERNAL_TOKEN_CHARACTERS_MIN = 32;
/** The gateway creates an order in well under a second. Three attempts fit into a request's 30 s. */
const GATEWAY_TIMEOUT_MS = 4_000;
const GATEWAY_TIMEOUT_MS_MAX = 8_000;

/** Several dashboard pages per second, at a few hundred points each. */
const RATE_POINTS_PER_SECOND = 1_000;

const CORES = availableParallelism();
const PROCESSES_FORM = {
  error: `must be "max" or a number from 1 to ${CORES} (the number of cores)`,
};

const environment = z.object({
  NODE_ENV: z.string().optional(),
  API_HOST: z.string().default('0.0.0.0'),
  API_PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  ...operationsVariables('API'),
  API_PROCESSES: z
    .preprocess(
      text => (text === 'max' ? CORES : text),
      z.coerce
        .number(PROCESSES_FORM)
        .int(PROCESSES_FORM)
        .min(1, PROCESSES_FORM)
        .max(CORES, PROCESSES_FORM),
    )
    .default(1),
  CLOCK_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(200).default(10),
  CLICKHOUSE_CLUSTER: z.string().optional(),
  ANALYST_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  INGEST_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  INGEST_NODE_URLS: z
    .string()
    .transform(text => text.split(',').map(url => url.trim()))
    .pipe(
      z.array(
        z.url({ protocol: /^https?$/, error: 'must be http or https URLs, separated by commas' }),
      ),
    )
    .optional(),
  INTERNAL_TOKEN: z
    .string()
    .regex(/^[!-~]+$/, 'must be printable ASCII without spaces')
    .min(
      INTERNAL_TOKEN_CHARACTERS_MIN,
      `must have at least ${INTERNAL_TOKEN_CHARACTERS_MIN} characters`,
    )
    .optional(),
  ...AUTH_VARIABLES,
  ...CONSOLE_VARIABLES,
  ENCRYPTION_KEYS: z
    .string({
      error:
        'is required: one or more keys in the form ID:BASE64, separated by commas, newest first; BASE64 is 32 random bytes in base64',
    })
    .transform((text, context) => {
      const keys = parseEncryptionKeys(text);
      if (keys !== undefined) return keys;
      context.addIssue(ENCRYPTION_KEYS_FORM);
      return z.NEVER;
    }),
  GATEWAY_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform(url => url.replace(/\/+$/, ''))
    .optional(),
  GATEWAY_CLIENT_ID: z.string().optional(),
  GATEWAY_CLIENT_SECRET: z.string().optional(),
  GATEWAY_ENVIRONMENT: z.enum(['SANDBOX', 'PRODUCTION']).default('SANDBOX'),
  GATEWAY_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(1)
    .max(GATEWAY_TIMEOUT_MS_MAX)
    .default(GATEWAY_TIMEOUT_MS),
  ...APPROVAL_VARIABLES,
  WEBHOOK_ALLOW_LOOPBACK: z.enum(['0', '1']).default('0'),
  FRONT_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SIGNUP_URL: z
    .union([z.url({ protocol: /^https?$/ }), z.string().regex(/^\/(?!\/)[!-~]*$/)], {
      error: 'must be an http or https URL, or a path',
    })
    .default(DEFAULT_SIGN_UP_URL),
  PERSISTED_OPERATIONS_FILE: z.string().optional(),
  RATE_POINTS_PER_SECOND: z.coerce.number().int().min(1).default(RATE_POINTS_PER_SECOND),
  ...drainNoticeEnvironment,
});

/** Throws one error that names all invalid variables. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`);
  const isProduction = given.NODE_ENV === 'production';
  const hasDatabase = given.DATABASE_URL || (given.DATABASE_APP_URL && given.DATABASE_SYSTEM_URL);
  if (!isProduction && !hasDatabase)
    problems.push(
      'DATABASE_URL: set it (or DATABASE_APP_URL and DATABASE_SYSTEM_URL) to a postgres:// URL',
    );
  if (Boolean(given.GATEWAY_CLIENT_ID) !== Boolean(given.GATEWAY_CLIENT_SECRET))
    problems.push('GATEWAY_CLIENT_ID: must be set together with GATEWAY_CLIENT_SECRET');
  problems.push(
    ...authProblems(given),
    ...consoleSignInProblems(given),
    ...approvalProblems(given),
  );
  problems.push(...productionProblems(given), ...clickhouseProblems(given));
  problems.push(...operationsProblems('API', given));
  if (!parsed.success || problems.length > 0)
    throw new Error(
      `The configuration is invalid.\n${problems.map(line => `  ${line}`).join('\n')}`,
    );
  const values = parsed.data;
  const { DATABASE_APP_URL: app, DATABASE_SYSTEM_URL: system } = given;
  const urls = app && system ? { app, system } : databaseUrls(given);
  const read = replicaUrl(given);
  const warehouses = clickhouseUrls(given);
  return {
    isProduction,
    host: values.API_HOST,
    port: values.API_PORT,
    operations: operationsAddress(values.API_OPERATIONS_HOST, values.API_OPERATIONS_PORT),
    processes: values.API_PROCESSES,
    logLevel: values.LOG_LEVEL,
    clockFile: values.CLOCK_FILE,
    databaseUrls: { ...urls, read },
    databasePoolMax: values.DATABASE_POOL_MAX,
    clickhouseUrls: warehouses,
    analystUrls: analystUrls(given),
    clickhouseCluster: values.CLICKHOUSE_CLUSTER?.trim() || undefined,
    ...ingestConfig(values),
    auth: authConfig(values),
    consoleSignIn: consoleSignIn(values),
    encryptionKeys: values.ENCRYPTION_KEYS,
    gateway: gatewayConfig(values),
    approval: approvalConfig(values),
    webhookAddresses: webhookAddresses(values, [
      ...Object.values({ ...urls, ...(read && { read }) }),
      ...Object.values(warehouses).flatMap(allAddresses),
    ]),
    signUpUrl: values.SIGNUP_URL,
    persistedOperationsFile: values.PERSISTED_OPERATIONS_FILE,
    ratePointsPerSecond: values.RATE_POINTS_PER_SECOND,
    drainNoticeMs: drainNoticeMs(values.DRAIN_NOTICE_MS, isProduction),
  };
}

function gatewayConfig(values: z.output<typeof environment>): Config['gateway'] {
  const { GATEWAY_CLIENT_ID: clientId, GATEWAY_CLIENT_SECRET: clientSecret } = values;
  return {
    baseUrl: values.GATEWAY_BASE_URL,
    platform:
      clientId && clientSecret
        ? { clientId, clientSecret, environment: values.GATEWAY_ENVIRONMENT }
        : undefined,
    attemptTimeoutMs: values.GATEWAY_TIMEOUT_MS,
  };
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
};

/** The service's own ports on this machine, which webhooks must not reach. */
function webhookAddresses(
  values: z.infer<typeof environment>,
  databases: readonly string[],
): WebhookAddresses {
  const { FRONT_PORT: frontPort, WEBHOOK_ALLOW_LOOPBACK: allowLoopback } = values;
  const called = [
    ...databases,
    values.INGEST_URL,
    ...(values.INGEST_NODE_URLS ?? []),
    values.GATEWAY_BASE_URL,
    values.MESSAGING_APP_API_URL,
    values.SMS_REGISTRAR_URL,
  ];
  const servicePorts = new Set(frontPort === undefined ? [] : [frontPort]);
  for (const address of called) {
    const url = URL.parse(address ?? '');
    if (url === null || !isLoopbackName(url.hostname.replace(/^\[|\]$/g, ''))) continue;
    const port = Number(url.port) || DEFAULT_PORTS[url.protocol];
    if (port !== undefined) servicePorts.add(port);
  }
  return { isLoopbackAllowed: allowLoopback === '1', servicePorts };
}

function ingestConfig({
  INGEST_URL: url,
  INGEST_NODE_URLS: nodeUrls,
  INTERNAL_TOKEN: token,
}: z.infer<typeof environment>): Pick<Config, 'ingest' | 'ingestNodeUrls'> {
  if (!url || !token) return { ingest: undefined, ingestNodeUrls: [] };
  return { ingest: { url, token }, ingestNodeUrls: nodeUrls ?? [url] };
}
