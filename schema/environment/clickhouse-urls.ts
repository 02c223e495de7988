const SUFFIX = /^(?:_([A-Z][A-Z0-9_]{0,31}))?$/;

/**
 * ClickHouse URLs by the slug of their cell: CLICKHOUSE_URL is for the cell `default`,
 * CLICKHOUSE_URL_EU_WEST for `eu-west`. A blank variable counts as absent.
 */
export function clickhouseUrls(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return urlsOf('CLICKHOUSE_URL', env);
}

/** Without a ClickHouse, a program would start and have no cell. */
export function clickhouseProblems(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (env.NODE_ENV !== 'production' || Object.keys(clickhouseUrls(env)).length > 0) return [];
  return ['CLICKHOUSE_URL: is required in production (or CLICKHOUSE_URL_… of another cell)'];
}

/**
 * The addresses at which analysts reach these ClickHouses: ANALYST_URL and ANALYST_URL_EU_WEST, otherwise the
 * same as the service's, without its user, password and database.
 */
export function analystUrls(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const same = Object.entries(clickhouseUrls(env)).map(([cell, url]) => [
    cell,
    URL.canParse(url) ? new URL(url).origin : url,
  ]);
  return { ...(Object.fromEntries(same) as Record<string, string>), ...urlsOf('ANALYST_URL', env) };
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
