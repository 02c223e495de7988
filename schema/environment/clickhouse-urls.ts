import { addressProblems, allAddresses, shardAddresses } from './clickhouse-addresses.ts';

const SUFFIX = /^(?:_([A-Z][A-Z0-9_]{0,31}))?$/;

/**
 * ClickHouse URLs by the slug of their cell: CLICKHOUSE_URL is for the cell `default`,
 * CLICKHOUSE_URL_EU_WEST for `eu-west`. A blank variable counts as absent. The URL of a cluster is a list; see
 * clickhouse-addresses.ts.
 */
export function clickhouseUrls(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return urlsOf('CLICKHOUSE_URL', env);
}

/** Malformed addresses. Without any, a program would start and have no cell. */
export function clickhouseProblems(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const urls = Object.entries(clickhouseUrls(env));
  if (env.NODE_ENV !== 'production' || urls.length > 0)
    return urls.flatMap(([cell, text]) =>
      addressProblems(cellVariable('CLICKHOUSE_URL', cell), text),
    );
  return [
    'CLICKHOUSE_URL: is required in production, unless CLICKHOUSE_URL_… is set for another cell',
  ];
}

/**
 * The addresses at which analysts reach these ClickHouses: ANALYST_URL and ANALYST_URL_EU_WEST, otherwise the
 * same as the service's, without its user, password and database.
 */
export function analystUrls(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const same = Object.entries(clickhouseUrls(env)).map(([cell, urls]) => {
    const [url] = allAddresses(urls);
    return [cell, URL.canParse(url!) ? new URL(url!).origin : url];
  });
  return { ...(Object.fromEntries(same) as Record<string, string>), ...urlsOf('ANALYST_URL', env) };
}

/** The variable of a cell: CLICKHOUSE_URL_EU_WEST for the cell `eu-west`. */
function cellVariable(variable: string, cell: string): string {
  return cell === 'default' ? variable : `${variable}_${cell.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * How many replicas must have a block before it counts as stored, by the slug of the cell:
 * CLICKHOUSE_INSERT_QUORUM, CLICKHOUSE_INSERT_QUORUM_EU_WEST. Cells without one need a single replica.
 */
export function insertQuorums(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, number> {
  const texts = Object.entries(urlsOf('CLICKHOUSE_INSERT_QUORUM', env));
  return Object.fromEntries(texts.map(([cell, text]) => [cell, Number(text)]));
}

/** A quorum must be reachable in each shard of its cell. */
export function quorumProblems(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const urls = clickhouseUrls(env);
  return Object.entries(insertQuorums(env)).flatMap(([cell, quorum]) => {
    const addresses = urls[cell];
    const sizes =
      addresses === undefined ? [0] : shardAddresses(addresses).map(({ length }) => length);
    if (Number.isInteger(quorum) && quorum >= 1 && quorum <= Math.min(...sizes)) return [];
    const variable = cellVariable('CLICKHOUSE_INSERT_QUORUM', cell);
    return [
      `${variable}: must be a whole number from 1 to the number of replicas per shard in ${cellVariable('CLICKHOUSE_URL', cell)}`,
    ];
  });
}

function urlsOf(
  variable: string,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(variable)) continue;
    const match = SUFFIX.exec(name.slice(variable.length));
    if (match === null || !value?.trim()) continue;
    urls[match[1]?.toLowerCase().replaceAll('_', '-') ?? 'default'] = value.trim();
  }
  return urls;
}
