// The limits of a query for a report.

import type { ClickHouseSettings } from '@clickhouse/client';

/** Reports are interactive. Longer queries are for analysts. */
export const EXECUTION_SECONDS_MAX = 10;
/** About what one machine can read in that time. Also keeps counts within GraphQL's Int. */
const ROWS_TO_READ_MAX = 500_000_000;
const BYTES_TO_READ_MAX = 50_000_000_000;
/** Leaves memory for several reports, inserts and merges at the same time. */
const MEMORY_BYTES_MAX = 1_000_000_000;
const THREADS_MAX = 4;
/** Enough for 100 events of maximum size, or the longest series. */
const RESULT_ROWS_MAX = 20_000;
const RESULT_BYTES_MAX = 64_000_000;

export const REPORT_LIMITS: ClickHouseSettings = {
  // 2: queries can change settings, which only this code sets, but no data.
  readonly: '2',
  max_execution_time: EXECUTION_SECONDS_MAX,
  timeout_overflow_mode: 'throw',
  max_rows_to_read: String(ROWS_TO_READ_MAX),
  max_bytes_to_read: String(BYTES_TO_READ_MAX),
  read_overflow_mode: 'throw',
  max_result_rows: String(RESULT_ROWS_MAX),
  max_result_bytes: String(RESULT_BYTES_MAX),
  result_overflow_mode: 'throw',
  max_memory_usage: String(MEMORY_BYTES_MAX),
  max_threads: THREADS_MAX,
  // ClickHouse cancels a query when we stop waiting for it.
  cancel_http_readonly_queries_on_client_close: 1,
  // An error is returned with its own status instead of at the end of a partial result.
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 0,
};
