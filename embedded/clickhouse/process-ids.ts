// The engine assigns its own query IDs and accepts none, so the client's query_id is passed as the
// query's log_comment. These rewrites restore it in system.processes and in KILL QUERY.

import type { Edit } from './edit.ts';
import { nameOf, type Token } from './tokens.ts';

const QUERY_ID = "if(Settings['log_comment'] = '', query_id, Settings['log_comment'])";
const PROCESSES = `(SELECT * REPLACE (${QUERY_ID} AS query_id) FROM system.processes)`;

/** The words that may follow a table without an alias; any other word is its alias. */
const CLAUSES = new Set(
  (
    'WHERE PREWHERE GROUP ORDER LIMIT OFFSET SETTINGS FORMAT UNION EXCEPT INTERSECT JOIN LEFT ' +
    'RIGHT INNER OUTER FULL CROSS ANY ALL ASOF SEMI ANTI PASTE GLOBAL ON USING FINAL SAMPLE ARRAY ' +
    'HAVING WINDOW QUALIFY INTO FETCH WITH SELECT'
  ).split(' '),
);

export function processRewrites(tokens: readonly Token[], text: string): Edit[] {
  if (tokens[0]?.text === 'KILL') {
    return tokens
      .filter(token => token.kind === 'word' && token.text === 'QUERY_ID')
      .map(({ start, end }) => ({ start, end, text: QUERY_ID }));
  }
  const edits: Edit[] = [];
  tokens.forEach((token, index) => {
    const [database, dot, table, next] = tokens.slice(index + 1, index + 5);
    if (token.text !== 'FROM' && token.text !== 'JOIN') return;
    if (dot?.text !== '.' || database === undefined || table === undefined) return;
    if (nameOf(database, text) !== 'system' || nameOf(table, text) !== 'processes') return;
    const hasAlias =
      next !== undefined &&
      (next.kind === 'quoted' || (next.kind === 'word' && !CLAUSES.has(next.text)));
    const replacement = hasAlias ? PROCESSES : `${PROCESSES} AS processes`;
    edits.push({ start: database.start, end: table.end, text: replacement });
  });
  return edits;
}
