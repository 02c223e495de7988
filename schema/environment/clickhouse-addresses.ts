// The ClickHouse of a cell is one server, or a cluster: a comma separates the replicas of a shard, and a
// semicolon the shards, which are in the order of their numbers:
// `http://a1:8123,http://a2:8123;http://b1:8123,http://b2:8123`.

/** The URLs of the replicas of each shard. */
export type ShardAddresses = readonly (readonly string[])[];

/** User names and passwords may contain the separators, so they count only before a further address. */
const BETWEEN_SHARDS = /\s*;\s*(?=https?:\/\/)/;
const BETWEEN_REPLICAS = /\s*,\s*(?=https?:\/\/)/;

export function shardAddresses(text: string): ShardAddresses {
  return text
    .trim()
    .split(BETWEEN_SHARDS)
    .map(shard => shard.split(BETWEEN_REPLICAS));
}

/** Of all shards. */
export function allAddresses(text: string): readonly string[] {
  return shardAddresses(text).flat();
}

/** What is wrong with the value of a variable; empty if nothing is. */
export function addressProblems(variable: string, text: string): readonly string[] {
  const addresses = allAddresses(text);
  const urls = addresses.map(address => (URL.canParse(address) ? new URL(address) : undefined));
  if (urls.some(url => url === undefined || !/^https?:$/.test(url.protocol)))
    return [
      `${variable}: must be one or more http or https URLs, with commas between replicas and semicolons between shards`,
    ];
  if (new Set(urls.map(url => url!.host)).size < urls.length)
    return [`${variable}: contains the same address twice`];
  // Each server is asked about its own copy of the same tables.
  if (new Set(urls.map(url => url!.pathname)).size > 1)
    return [`${variable}: all addresses must name the same database`];
  return [];
}
