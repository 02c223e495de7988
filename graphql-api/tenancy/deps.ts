declare module '../platform/config.ts' {
  interface Config {
    /** By the slug of the cell: the address at which analysts reach its ClickHouse. */
    readonly analystUrls: Readonly<Record<string, string>>;
    /** The name of the cluster that every cell's ClickHouse is, if it is one. */
    readonly clickhouseCluster: string | undefined;
  }
}
