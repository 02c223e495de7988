// All limits of the embedded ClickHouse, with their reasons.

import { totalmem } from 'node:os';

/** Concurrent queries. One machine has few analysts, and each query uses all cores. */
export const READ_SLOTS = 8;
/** Inserts have their own slots, so that slow queries never block them. */
export const INSERT_SLOTS = 4;
/** More waiting requests than this mean that the client does not wait for responses. */
export const QUEUE_LENGTH_MAX = 256;
/** A request that waited this long is rejected: its client has probably given up. */
export const QUEUE_WAIT_MAX_MS = 60_000;

/** A query blocks a thread of libuv's pool while it runs; files, DNS and zlib need some as well. */
export const THREAD_POOL_SIZE = READ_SLOTS + INSERT_SLOTS + 8;

/**
 * A statement without its data; the engine's own max_query_size (256 KiB) is checked after this.
 */
export const STATEMENT_BYTES_MAX = 4 * 1024 * 1024;
/**
 * VALUES up to this size run inline, where DEFAULT works; larger ones go through a file like other
 * data.
 */
export const INLINE_VALUES_BYTES_MAX = 1024 * 1024;
/** The data of one insert is stored in a file until it is complete. */
export const INSERT_BYTES_MAX = 8 * 1024 * 1024 * 1024;
/** The file is written in pieces of this size, because each write costs a thread pool task. */
export const WRITE_BYTES = 512 * 1024;
/** An insert with up to this many rows is one block: atomic, and one deduplication token. */
export const INSERT_BLOCK_ROWS = 2 * 1024 * 1024;

/** The part of a response that is held back, so that an early error still gets its own status. */
export const HELD_ANSWER_BYTES = 1024 * 1024;
/**
 * The result of KILL and similar statements is held in memory; larger results come only from reads.
 */
export const OTHER_RESULT_BYTES_MAX = 4 * 1024 * 1024;
/** With wait_end_of_query: larger responses are streamed, and an error comes at their end. */
export const HELD_WHOLE_ANSWER_BYTES = 64 * 1024 * 1024;
/**
 * How long a client may take to read the error at the end of a stream before the connection is
 * closed.
 */
export const BROKEN_ANSWER_LINGER_MS = 15_000;

/**
 * A compressed block of a request, and its content. clickhouse-go sends a whole batch as one block
 * and has the same limit.
 */
export const NATIVE_BLOCK_BYTES_MAX = 128 * 1024 * 1024;

/**
 * The number of kept connections. A client usually has one session, which holds little apart from its temporary
 * tables.
 */
export const SESSIONS_MAX = 256;
/** ClickHouse's defaults: default_session_timeout and max_session_timeout. */
export const SESSION_TIMEOUT_DEFAULT_S = 60;
export const SESSION_TIMEOUT_MAX_S = 3600;

/** The longest time for an insert's body to arrive. */
export const REQUEST_TIMEOUT_MS = 60 * 60 * 1000;
/** Longer than clients keep an idle connection, so that the client closes it first. */
export const KEEP_ALIVE_MS = 30_000;
/** Statements may be in the URL: ClickHouse also accepts 1 MiB. */
export const HEADER_BYTES_MAX = 1024 * 1024 + 16 * 1024;

/** After a kill -9, the old process may need this long to release port and directory. */
export const START_RETRY_MS = 3_000;
/** Running statements may take this long after SIGTERM; then they are canceled. */
export const DRAIN_MS = 10_000;
/** After the cancellation the process exits after this time; the data survives that. */
export const CANCEL_MS = 3_000;

/** All statements and merges together; the rest of the memory is for Postgres and our programs. */
export const ENGINE_MEMORY_BYTES = Math.floor(memoryBytes() / 2);
/**
 * One statement, unless the client sets max_memory_usage, so that one query cannot starve the
 * others.
 */
export const STATEMENT_MEMORY_BYTES = Math.floor(ENGINE_MEMORY_BYTES / 2);

/**
 * Concurrent statements of one login: half of the slots. Further statements wait, such as those of a
 * dashboard's panels.
 */
export const LOGIN_STATEMENTS_MAX = 4;
export const LOGIN_MEMORY_BYTES = Math.floor(STATEMENT_MEMORY_BYTES / 2);
/** As on a server; see schema/analyst-login/statements.ts. */
export const LOGIN_EXECUTION_SECONDS_MAX = 120;

/** The memory limit of the container, if there is one. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
