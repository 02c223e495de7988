// Every bound of the embedded ClickHouse, with its reason.

import { totalmem } from 'node:os';

/** Queries run side by side; analysts on one machine are few, and each query uses all cores. */
export const READ_SLOTS = 8;
/** Inserts have slots of their own, so that slow queries never hold one up. */
export const INSERT_SLOTS = 4;
/** More requests than this waiting for a slot means that the caller does not wait for answers. */
export const QUEUE_LENGTH_MAX = 256;
/** A request that waited this long is refused: its caller has probably given up. */
export const QUEUE_WAIT_MAX_MS = 60_000;

/** Queries block a thread of libuv's pool while they run; files, DNS and zlib need some as well. */
export const THREAD_POOL_SIZE = READ_SLOTS + INSERT_SLOTS + 8;

/** A statement without its data; the engine's own max_query_size (256 KiB) is checked after this. */
export const STATEMENT_BYTES_MAX = 4 * 1024 * 1024;
/** VALUES up to this size run inline, where DEFAULT is known; more goes by a file like any data. */
export const INLINE_VALUES_BYTES_MAX = 1024 * 1024;
/** The data of one insert lies in a file until it is complete. */
export const INSERT_BYTES_MAX = 8 * 1024 * 1024 * 1024;
/** It is written in pieces of this size: a write costs a turn through another thread. */
export const WRITE_BYTES = 512 * 1024;
/** Rows of one insert up to this are one block: atomic, and one deduplication token. */
export const INSERT_BLOCK_ROWS = 2 * 1024 * 1024;

/** This much of an answer is held back, so that an early error still gets its own status. */
export const HELD_ANSWER_BYTES = 1024 * 1024;
/** The result of KILL and the like comes in one piece through memory; anything real is a read. */
export const OTHER_RESULT_BYTES_MAX = 4 * 1024 * 1024;
/** With wait_end_of_query: larger answers are streamed, and an error then comes at their end. */
export const HELD_WHOLE_ANSWER_BYTES = 64 * 1024 * 1024;
/** How long a client gets to read the error at the end of a stream before the connection is cut. */
export const BROKEN_ANSWER_LINGER_MS = 2_000;

/** An insert may take long to arrive, but not for ever. */
export const REQUEST_TIMEOUT_MS = 60 * 60 * 1000;
/** Longer than clients keep an idle connection, so that they close it and not we. */
export const KEEP_ALIVE_MS = 30_000;
/** Statements may come in the URL: 1 MiB of it is what ClickHouse takes too. */
export const HEADER_BYTES_MAX = 1024 * 1024 + 16 * 1024;

/** A restart right after a kill -9 finds the old process still letting go of port and directory. */
export const START_RETRY_MS = 3_000;
/** Running statements get this long to end after SIGTERM; then they are cancelled. */
export const DRAIN_MS = 10_000;
/** After cancelling; the process then ends itself, which the data survives. */
export const CANCEL_MS = 3_000;

/** All statements and merges together; the rest of the machine is for Postgres and our programs. */
export const ENGINE_MEMORY_BYTES = Math.floor(memoryBytes() / 2);
/** One statement, unless the client sets max_memory_usage: one query must not starve the others. */
export const STATEMENT_MEMORY_BYTES = Math.floor(ENGINE_MEMORY_BYTES / 2);

/** A container's limit where there is one. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
