import { readFile } from 'node:fs/promises';
import type { BaseOptions } from '@platformatic/kafka';
import { BROKER_CONNECT_TIMEOUT_MS, BROKER_REQUEST_TIMEOUT_MS } from '../limits.ts';
import type { BrokersConfig } from './brokers-config.ts';

/**
 * The options of every client of the cluster. `turn`: how often the client was replaced; each time
 * another broker comes first, because the previous one may accept connections without responding.
 * `suspect`: the address of a broker that did not respond, which comes last.
 */
export function clientOptions(
  config: BrokersConfig,
  clientId: string,
  turn = 0,
  suspect?: string,
): BaseOptions {
  const { addresses, tls, sasl } = config;
  const first = turn % addresses.length;
  const inTurn = [...addresses.slice(first), ...addresses.slice(0, first)];
  return {
    clientId,
    bootstrapBrokers: [
      ...inTurn.filter(address => address !== suspect),
      ...inTurn.filter(address => address === suspect),
    ],
    connectTimeout: BROKER_CONNECT_TIMEOUT_MS,
    requestTimeout: BROKER_REQUEST_TIMEOUT_MS,
    timeout: BROKER_REQUEST_TIMEOUT_MS,
    retryDelay: RETRY_DELAY_MS,
    ...(tls === undefined ? {} : { tls: tls.ca === undefined ? {} : { ca: tls.ca } }),
    ...(tls === undefined ? {} : { tlsServerName: true }),
    ...(sasl === undefined ? {} : { sasl: saslOptions(sasl) }),
  };
}

const RETRY_DELAY_MS = 100;

function saslOptions(sasl: NonNullable<BrokersConfig['sasl']>): NonNullable<BaseOptions['sasl']> {
  if (sasl.mechanism !== 'OAUTHBEARER') return sasl;
  const { mechanism, tokenFile } = sasl;
  return { mechanism, token: async () => (await readFile(tokenFile, 'utf8')).trim() };
}
