declare module '../platform/config.ts' {
  interface Config {
    /** By the slug of the cell: the address at which analysts reach its ClickHouse. */
    readonly analystUrls: Readonly<Record<string, string>>;
    /** The name of the cluster, if every cell's ClickHouse is a cluster. */
    readonly clickhouseCluster: string | undefined;
  }
}
