import type { RunningChild } from './child.ts';
import type { StartOptions } from './parts.ts';
import { LOOPBACK } from './ports.ts';

/** The address at which this machine reaches a server that listens on a host. */
export function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://${LOOPBACK}:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The address at which the operators' endpoints of ingest are served. */
export function internalUrl(
  { config, env }: Pick<StartOptions, 'config' | 'env'>,
  { port, operationsPort }: Pick<RunningChild, 'port' | 'operationsPort'>,
): string {
  if (operationsPort === undefined) return urlOf(config.host, port);
  return urlOf(env.INGEST_OPERATIONS_HOST?.trim() || LOOPBACK, operationsPort);
}
