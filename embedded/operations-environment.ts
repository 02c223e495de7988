import type { RunningChild } from './child.ts';

/** In production, each program has a separate operator port: a free port, unless its variable is set. */
export function operationsEnvironment(
  program: 'INGEST' | 'API',
  env: Readonly<Record<string, string | undefined>>,
  previous: Pick<RunningChild, 'operationsPort'> | undefined,
): Readonly<Record<string, string>> {
  const name = `${program}_OPERATIONS_PORT`;
  const isProduction = env.NODE_ENV === 'production';
  const port = previous?.operationsPort ?? (env[name]?.trim() || (isProduction ? '0' : undefined));
  return port === undefined ? {} : { [name]: String(port) };
}
