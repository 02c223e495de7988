// The settings of a request, as statements for the engine that run before its statement.

import { STATEMENT_MEMORY_BYTES } from './limits.ts';
import type { NativeResult } from './native.ts';

/** The state that a request sets before its statement. All of it ends with the request. */
export type Scope = {
  readonly settings: ReadonlyMap<string, string>;
  /** Values of {name:Type}, in ClickHouse's escaped form. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly database: string | undefined;
  /** The role to use instead of all rights of the service. */
  readonly role?: string;
};

/** Runs a statement with this state. Rejects with an Exception. */
export type RunInScope = (scope: Scope, statement: string, format: string) => Promise<NativeResult>;

/** Settings whose values differ between a server and clickhouse-local, or between one machine and a cluster. */
export const SERVER_LIKE: ReadonlyMap<string, string> = new Map([
  ['implicit_select', '0'],
  ['max_memory_usage', String(STATEMENT_MEMORY_BYTES)],
  // Enabled by default since 26.x; responses would be sent before the rows are in the table's
  // parts.
  ['async_insert', '0'],
]);

/** Long parameters make long statements, which the engine rejects without this setting. */
const MAX_QUERY_SIZE_DEFAULT = 262_144;

/** The statements that set it up, to be run one by one. */
export function preparation({ settings, parameters, database, role }: Scope): string[] {
  const { readonly, ...rest } = Object.fromEntries(settings);
  const assignments = Object.entries(rest).map(([name, value]) => assignment(name, value));
  for (const [name, value] of parameters) assignments.push(assignment(`param_${name}`, value));
  const set = `SET ${assignments.join(', ')}`;
  const statements = assignments.length === 0 ? [] : [set];
  if (set.length > MAX_QUERY_SIZE_DEFAULT / 4) {
    statements.unshift(`SET max_query_size = ${4 * set.length + MAX_QUERY_SIZE_DEFAULT}`);
    if (!settings.has('max_query_size'))
      statements.push(`SET max_query_size = ${MAX_QUERY_SIZE_DEFAULT}`);
  }
  if (database !== undefined) statements.push(`USE ${quoted(database, '`')}`);
  if (role !== undefined) statements.push(`SET ROLE ${quoted(role, '`')}`);
  // Last, because it forbids further changes, even of itself.
  if (readonly !== undefined) statements.push(`SET ${assignment('readonly', readonly)}`);
  // A setting applies from the next text on, so these steps run one by one.
  return set.length > MAX_QUERY_SIZE_DEFAULT / 4 ? statements : [statements.join('; ')];
}

export function assignment(name: string, value: string): string {
  return `${quoted(name, '`')} = ${quoted(value, "'")}`;
}

export function quoted(text: string, quote: "'" | '`'): string {
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}
