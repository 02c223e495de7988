// The statements of Postgres in a file.

import { splitStatements } from './clickhouse-sql.ts';
import { withoutComments } from './hazard.ts';

/** Like those of ClickHouse, but a backslash in a string is an ordinary character. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|;|[\s\S]/g;
const QUOTED = /^(?:'|\$\w*\$)/;

/** With their comments. */
export function splitPostgresStatements(sql: string): string[] {
  return splitStatements(sql, TOKEN);
}

/**
 * The statement on one line, without comments and with empty strings, so that their text is not mistaken for
 * code.
 */
export function postgresCode(sql: string): string {
  const parts = [...sql.matchAll(TOKEN)].map(([token]) =>
    token.startsWith('--') || token.startsWith('/*') ? ' ' : QUOTED.test(token) ? "''" : token,
  );
  return withoutComments(parts.join(''));
}
