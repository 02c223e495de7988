export type OurMetrics = {
  /** To disk, or to the replicated log. */
  readonly syncedBytes: number;
  /** On disk, but not delivered yet. */
  readonly unsentBytes: number;
  /** In the replicated log, but not delivered yet. */
  readonly unsentRecords: number;
  readonly oldestUnsentSeconds: number;
};

/** The values of ingest's /metrics that the benchmark shows. */
export async function readOurMetrics(url: string): Promise<OurMetrics> {
  const answer = await fetch(`${url}/metrics`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`/metrics: ${answer.status} ${text}`);
  const values = (name: string) =>
    Array.from(text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm')), ([, value]) =>
      Number(value),
    );
  const sum = (name: string) => values(name).reduce((total, value) => total + value, 0);
  return {
    syncedBytes: sum('ingest_fsync_bytes_total') + sum('ingest_log_append_bytes_total'),
    unsentRecords: sum('ingest_log_lag_records'),
    unsentBytes: sum('ingest_spool_bytes'),
    oldestUnsentSeconds: Math.max(
      0,
      ...values('ingest_spool_oldest_unsent_seconds\\{.*reader="clickhouse"\\}'),
    ),
  };
}
