// The connection to the Kafka-protocol cluster that keeps the log, from the environment.

import { readFileSync } from 'node:fs';
import { z } from 'zod';

export type BrokersConfig = {
  /** `host:port` of some brokers of the cluster; they return the addresses of the others. */
  readonly addresses: readonly string[];
  readonly tls: { readonly ca: string | undefined } | undefined;
  readonly sasl: Sasl | undefined;
  /** The first part of the names of topics and consumer groups. */
  readonly prefix: string;
};

export type Sasl =
  | {
      readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'OAUTHBEARER'; readonly tokenFile: string };

const ADDRESS = /^(?:\[[\da-fA-F:]+\]|[\w.-]+):\d{1,5}$/;
/** https://kafka.apache.org/documentation/#topicconfigs: legal characters of a topic's name. */
const PREFIX = /^[a-zA-Z0-9._-]{1,100}$/;

export const brokersEnvironment = {
  LOG_BROKERS: z
    .string()
    .transform(text => text.split(',').map(address => address.trim()))
    .refine(
      addresses => addresses.every(address => ADDRESS.test(address)),
      'must be host:port, or several separated by commas',
    )
    .optional(),
  LOG_TOPIC_PREFIX: z
    .string()
    .regex(PREFIX, 'must have 1 to 100 letters, digits, dots, underscores or hyphens')
    .default('ingest'),
  LOG_TLS: z.enum(['true', 'false']).default('false'),
  /** A file in PEM format; the public certificate authorities if unset. */
  LOG_TLS_CA_FILE: z.string().optional(),
  LOG_SASL_MECHANISM: z.enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER']).optional(),
  LOG_SASL_USERNAME: z.string().optional(),
  LOG_SASL_PASSWORD: z.string().optional(),
  /** Read again for each connection, so that the token can be renewed in place. */
  LOG_SASL_TOKEN_FILE: z.string().optional(),
};

type Variables = z.infer<z.ZodObject<typeof brokersEnvironment>>;

/** Undefined if rows go to the local spool. */
export function readBrokersConfig(values: Variables): BrokersConfig | undefined {
  const { LOG_BROKERS: addresses, LOG_TLS_CA_FILE: caFile } = values;
  if (addresses === undefined) return undefined;
  return {
    addresses,
    prefix: values.LOG_TOPIC_PREFIX,
    tls:
      values.LOG_TLS === 'true'
        ? { ca: caFile === undefined ? undefined : readFileSync(caFile, 'utf8') }
        : undefined,
    sasl: saslOf(values),
  };
}

/** Missing and contradictory variables, for the list of configuration problems. */
export function brokersProblems(given: Readonly<Record<string, string | undefined>>): string[] {
  const { LOG_SASL_MECHANISM: mechanism } = given;
  const problems: string[] = [];
  if (given.LOG_BROKERS === undefined) return problems;
  if (given.LOG_TLS_CA_FILE !== undefined && given.LOG_TLS !== 'true')
    problems.push('LOG_TLS_CA_FILE: requires LOG_TLS=true');
  if (mechanism === undefined) return problems;
  const needed =
    mechanism === 'OAUTHBEARER'
      ? ['LOG_SASL_TOKEN_FILE']
      : ['LOG_SASL_USERNAME', 'LOG_SASL_PASSWORD'];
  for (const name of needed)
    if (given[name] === undefined) problems.push(`${name}: is required for ${mechanism}`);
  if (given.NODE_ENV === 'production' && given.LOG_TLS !== 'true')
    problems.push('LOG_TLS: must be true in production if LOG_SASL_MECHANISM is set');
  return problems;
}

function saslOf(values: Variables): Sasl | undefined {
  const { LOG_SASL_MECHANISM: mechanism } = values;
  if (mechanism === undefined) return undefined;
  if (mechanism === 'OAUTHBEARER')
    return { mechanism, tokenFile: values.LOG_SASL_TOKEN_FILE ?? '' };
  return {
    mechanism,
    username: values.LOG_SASL_USERNAME ?? '',
    password: values.LOG_SASL_PASSWORD ?? '',
  };
}
