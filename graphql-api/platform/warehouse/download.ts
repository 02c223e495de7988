// Downloads of a query's result as a stream, in a format of ClickHouse.

import type { Readable } from 'node:stream';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';

export type DownloadFormat = 'Parquet' | 'JSONEachRow';

export type ScopedQuery = {
  readonly query: string;
  readonly query_params: Record<string, unknown>;
  /** The value of `additional_table_filters`, which limits every table to the workspace. */
  readonly filters: string;
};

/** Downloads last as long as their clients read, so they do not share the slots of reports. */
export const DOWNLOAD_SLOTS = {
  runningMax: 8,
  runningOfOneMax: 2,
  waitingMax: 20,
  waitMsMax: 5_000,
};
/** A client that reads slower than 1 MB/s resumes a large chunk. */
const DOWNLOAD_TIMEOUT_MS = 5 * 60 * 1000;
/** The result is limited by the query. One thread and no parallel encoding: the same rows are the same bytes. */
const DOWNLOAD_SETTINGS: ClickHouseSettings = {
  max_result_rows: '0',
  max_result_bytes: '0',
  max_threads: 1,
  date_time_output_format: 'iso',
  output_format_parquet_parallel_encoding: 0,
  output_format_parquet_string_as_string: 1,
  output_format_parquet_compression_method: 'zstd',
};

/** The stream ends with an error if it takes too long. The caller must read or destroy it. */
export async function openDownload(
  client: ClickHouseClient,
  { query, query_params, filters }: ScopedQuery,
  format: DownloadFormat,
): Promise<Readable> {
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const { stream } = await client.exec({
    query: `${query} FORMAT ${format}`,
    query_params,
    clickhouse_settings: { ...DOWNLOAD_SETTINGS, additional_table_filters: filters as never },
    abort_signal: signal,
  });
  const stop = () => stream.destroy(new Error('the download took too long'));
  signal.addEventListener('abort', stop);
  stream.once('close', () => signal.removeEventListener('abort', stop));
  // The reader gets the error. Before it reads, an error without a listener would end the process.
  stream.on('error', () => undefined);
  return stream;
}
