// Rejects statements that reach files, other hosts or programs, so that a client of this port
// cannot read the developer's disk. The check works on tokens, so columns and tables may have any
// of these names: only calls of a function, engines, and paths as table names are rejected.

import { type Exception, exception } from './exception.ts';
import { nameOf, type Token } from './tokens.ts';

/** Undefined: the client's own statement stays inside the engine. */
export function outsideRefusal(tokens: readonly Token[], bytes: string): Exception | undefined {
  if (isBackupInside(tokens, bytes)) return undefined;
  for (const [index, token] of tokens.entries()) {
    const what =
      calledOutside(tokens, index, bytes) ??
      engineOutside(tokens, index, bytes) ??
      clauseOutside(tokens, index) ??
      pathOutside(tokens, index, bytes);
    if (what !== undefined)
      return exception('SUPPORT_IS_DISABLED', `${what} is disabled in the embedded engine`);
    if (token.kind === 'open') return undefined;
  }
  return undefined;
}

/**
 * `BACKUP DATABASE d TO File('name')` or `RESTORE DATABASE d FROM File('name')`: the name of a folder
 * in the engine's own backups directory.
 */
function isBackupInside(tokens: readonly Token[], bytes: string): boolean {
  const [verb, what, , preposition, file, open, name, close] = tokens;
  const direction = { BACKUP: 'TO', RESTORE: 'FROM' }[verb?.text ?? ''];
  return (
    tokens.length === 8 &&
    direction !== undefined &&
    what?.text === 'DATABASE' &&
    preposition?.text === direction &&
    file?.text === 'FILE' &&
    open?.text === '(' &&
    close?.text === ')' &&
    name?.kind === 'string' &&
    /^'[\w-]+'$/.test(bytes.slice(name.start, name.end))
  );
}

/** Functions, table engines, dictionary sources. The other iceberg… functions only compute. */
const OUTSIDE = new RegExp(
  '^(?:file|fileCluster|fileLog|url|urlCluster|http|s3\\w*|gcs|oss|cosn|azure\\w*|hdfs\\w*|' +
    'executable\\w*|remote\\w*|external\\w*|cluster|clusterAllReplicas|mysql|postgresql|' +
    'materialized(?:MySQL|PostgreSQL)|mongodb|redis|sqlite|odbc|jdbc|cassandra|hive|kafka|nats|' +
    'rabbitmq|ytsaurus|arrowFlight|deltaLake\\w*|iceberg(?!Bucket$|Truncate$|Hash$)\\w*|hudi\\w*|' +
    'paimon\\w*|dataLakeCatalog|python|filesystem|disk|backup|eval|fuzzQuery|queryRunner)$',
  'i',
);

function calledOutside(tokens: readonly Token[], index: number, bytes: string): string | undefined {
  const token = tokens[index]!;
  if (tokens[index + 1]?.text !== '(' || !isName(token)) return undefined;
  const name = nameOf(token, bytes);
  // In SOURCE(CLICKHOUSE(…)) the host is another server.
  const isHost = token.text === 'CLICKHOUSE' && tokens[index - 2]?.text === 'SOURCE';
  if (!isHost && !OUTSIDE.test(name)) return undefined;
  return isNewTable(tokens, index) ? undefined : `${name}()`;
}

/** CREATE TABLE url (…) and INSERT INTO url (…) name a table. */
function isNewTable(tokens: readonly Token[], index: number): boolean {
  let at = index - 1;
  while (tokens[at]?.text === '.' && at > 1) at -= 2;
  if (tokens[at]?.text === 'EXISTS' && tokens[at - 1]?.text === 'NOT') at -= 2;
  if (tokens[at]?.text === 'IF') at -= 1;
  if (tokens[at]?.text === 'INTO') return true;
  const before = tokens[at - 1]?.text ?? '';
  return tokens[at]?.text === 'TABLE' && NEW_TABLE.has(before);
}

const NEW_TABLE = new Set(['CREATE', 'TEMPORARY', 'REPLACE', 'ATTACH', 'INTO']);

/** Table and database engines that use only the engine's own directory. */
const INSIDE_ENGINE = new RegExp(
  '^(?:\\w*MergeTree|Memory|Log|TinyLog|StripeLog|Null|Set|Join|Buffer|View|MaterializedView|' +
    'WindowView|Dictionary|Merge|Distributed|GenerateRandom|FuzzJSON|Loop|Alias|TimeSeries|' +
    'Atomic|Ordinary|Replicated)$',
);

function engineOutside(tokens: readonly Token[], index: number, bytes: string): string | undefined {
  if (tokens[index]!.text !== 'ENGINE' || !DEFINING.has(tokens[0]!.text)) return undefined;
  const hasSign = tokens[index + 1]?.text === '=';
  const token = tokens[index + (hasSign ? 2 : 1)];
  if (token === undefined || !isName(token)) return undefined;
  const name = nameOf(token, bytes);
  // Without the equals sign it may be a column with the name engine.
  const isOutside = hasSign ? !INSIDE_ENGINE.test(name) : OUTSIDE.test(name);
  return isOutside ? `ENGINE = ${name}` : undefined;
}

const DEFINING = new Set(['CREATE', 'ATTACH', 'REPLACE', 'ALTER']);

function clauseOutside(tokens: readonly Token[], index: number): string | undefined {
  const { text } = tokens[index]!;
  const next = tokens[index + 1];
  const previous = tokens[index - 1];
  if (text === 'FROM' && next?.text === 'INFILE' && tokens[index + 2]?.kind === 'string')
    return 'FROM INFILE';
  if ((text === 'BACKUP' || text === 'RESTORE') && (index === 0 || previous?.text === 'WITH'))
    return next?.kind === 'word' && next.text !== 'AS' ? text : undefined;
  if (text === 'FROM' && next?.kind === 'string' && tokens[0]!.text === 'ATTACH')
    return 'ATTACH … FROM';
  return undefined;
}

/** The engine's default database treats an unknown name as a path or a URL. */
function pathOutside(tokens: readonly Token[], index: number, bytes: string): string | undefined {
  const token = tokens[index]!;
  if (token.kind !== 'quoted' && token.kind !== 'string') return undefined;
  if (!/[/\\]/.test(bytes.slice(token.start + 1, token.end - 1))) return undefined;
  const previous = tokens[index - 1];
  if (previous === undefined) return undefined;
  // Strings also follow these words, but as values.
  const isTable =
    token.kind === 'string'
      ? previous.text === 'FROM' || previous.text === 'JOIN' || isAmongTables(tokens, index)
      : TABLE_FOLLOWS.has(previous.text) || isAmongTables(tokens, index);
  return isTable ? 'Using a file or URL as a table' : undefined;
}

const TABLE_FOLLOWS = new Set('FROM JOIN INTO TABLE DESCRIBE DESC IN EXISTS . CREATE'.split(' '));

/** After a comma of FROM. */
function isAmongTables(tokens: readonly Token[], index: number): boolean {
  const { depth } = tokens[index]!;
  if (tokens[index - 1]?.text !== ',') return false;
  for (let at = index - 1; at >= 0; at -= 1) {
    const token = tokens[at]!;
    if (token.depth < depth) return false;
    if (token.depth > depth || token.kind !== 'word') continue;
    if (token.text === 'FROM') return true;
    if (CLAUSE.has(token.text)) return false;
  }
  return false;
}

const CLAUSE = new Set('SELECT WITH WHERE PREWHERE BY SETTINGS LIMIT HAVING VALUES SET'.split(' '));

function isName(token: Token): boolean {
  return token.kind === 'word' || token.kind === 'quoted';
}
