// The address of a program's endpoints for operators and for the other program: a port of their own,
// so that no mistake in a proxy makes them public.

import { z } from 'zod';

export type OperationsAddress = { readonly host: string; readonly port: number };

type Given = Readonly<Record<string, string | undefined>>;

/** `INGEST_OPERATIONS_HOST` and `INGEST_OPERATIONS_PORT`, or the same for the API. */
export function operationsVariables<Program extends 'INGEST' | 'API'>(program: Program) {
  const variables = {
    [`${program}_OPERATIONS_HOST`]: z.string().default('127.0.0.1'),
    [`${program}_OPERATIONS_PORT`]: z.coerce.number().int().min(0).max(65_535).optional(),
  };
  return variables as Record<`${Program}_OPERATIONS_HOST`, z.ZodDefault<z.ZodString>> &
    Record<`${Program}_OPERATIONS_PORT`, z.ZodOptional<z.ZodCoercedNumber>>;
}

/** Undefined if these endpoints are on the program's only port. */
export function operationsAddress(
  host: string,
  port: number | undefined,
): OperationsAddress | undefined {
  return port === undefined ? undefined : { host, port };
}

const OPERATIONS = { INGEST: '/metrics and /internal', API: '/metrics' } as const;

export function operationsProblems(program: 'INGEST' | 'API', given: Given): string[] {
  const [name, traffic] = [`${program}_OPERATIONS_PORT`, `${program}_PORT`];
  const port = given[name];
  if (port === undefined && given.NODE_ENV === 'production')
    return [`${name}: is required in production: the port for ${OPERATIONS[program]}`];
  if (port !== undefined && port !== '0' && port === given[traffic])
    return [`${name}: must differ from ${traffic}`];
  return [];
}
