const VARIABLE = /^CLICKHOUSE_URL(?:_([A-Z][A-Z0-9_]{0,31}))?$/;

/**
 * ClickHouse URLs by the slug of their cell: CLICKHOUSE_URL is for the cell `default`,
 * CLICKHOUSE_URL_EU_WEST for `eu-west`. A blank variable counts as absent.
 */
export function clickhouseUrls(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const match = VARIABLE.exec(name);
    if (match === null || !value?.trim()) continue;
    urls[match[1]?.toLowerCase().replaceAll('_', '-') ?? 'default'] = value.trim();
  }
  return urls;
}
