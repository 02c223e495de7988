// Runs a received statement in a slot of its kind and returns its result.

import { randomUUID } from 'node:crypto';
import type { Answer, Summary } from './answer.ts';
import type { Engine } from './engine.ts';
import { Exception, exception, fromEngine } from './exception.ts';
import { INSERT_BLOCK_ROWS, OTHER_RESULT_BYTES_MAX } from './limits.ts';
import type { NativeResult } from './native.ts';
import { openPipe } from './pipes.ts';
import type { Received } from './receive-statement.ts';
import type { RunInScope, Scope } from './scope.ts';
import type { Slots } from './slots.ts';
import type { Other, Read } from './statement.ts';

export type Runner = {
  readonly engine: Engine;
  /** Each slot of a read is a pipe. */
  readonly readSlots: Slots<string>;
  readonly insertSlots: Slots<number>;
};

export type Job = {
  readonly scope: Scope;
  /** On a connection of its own, or in a session. */
  readonly run: RunInScope;
  readonly defaultFormat: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
};

/** An insert is one block per partition, so that it is atomic and its token covers all of it. */
const ONE_BLOCK: ReadonlyMap<string, string> = new Map([
  ['max_insert_block_size', String(INSERT_BLOCK_ROWS)],
  ['min_insert_block_size_rows', String(INSERT_BLOCK_ROWS)],
  ['min_insert_block_size_bytes', '0'],
  ['max_insert_threads', '1'],
]);

/**
 * How often the cancellation of a query is repeated, because the query may not have begun at the
 * first attempt.
 */
const CANCEL_AGAIN_MS = 200;

/** Rejects with an Exception, before or after the response has begun. */
export async function runStatement(
  runner: Runner,
  job: Job,
  statement: Exclude<Received, { kind: 'empty' }>,
  answer: Answer,
): Promise<Summary> {
  if (statement.kind === 'insert') return runInsert(runner, job, statement.text);
  const loan = await runner.readSlots.take(job.signal);
  try {
    return statement.kind === 'read'
      ? await runRead(runner.engine, job, statement, loan.slot, answer)
      : await runOther(job, statement, answer);
  } finally {
    loan.giveBack();
  }
}

/**
 * An insert that has begun runs to its end. A client that lost the connection can query
 * system.processes for it.
 */
async function runInsert(runner: Runner, job: Job, text: string): Promise<Summary> {
  const loan = await runner.insertSlots.take(job.signal);
  try {
    job.signal.throwIfAborted();
    const settings = new Map([...ONE_BLOCK, ...job.scope.settings]);
    const result = await job.run({ ...job.scope, settings }, utf8(text), 'Null');
    return {
      ...summary(result),
      rowsWritten: result.rowsRead,
      bytesWritten: result.bytesRead,
    };
  } finally {
    loan.giveBack();
  }
}

async function runOther(job: Job, statement: Other, answer: Answer): Promise<Summary> {
  job.signal.throwIfAborted();
  const settings = new Map([
    ...job.scope.settings,
    ['max_result_bytes', String(OTHER_RESULT_BYTES_MAX)] as const,
    ['result_overflow_mode', 'throw'] as const,
  ]);
  const scope = { ...job.scope, settings };
  const result = await job.run(scope, utf8(statement.text), job.defaultFormat);
  // The engine counted the rows; as text they may be larger.
  if (result.bytes.length > OTHER_RESULT_BYTES_MAX)
    throw exception(
      'LIMIT_EXCEEDED',
      `The statement's result is larger than ${OTHER_RESULT_BYTES_MAX} bytes`,
    );
  if (result.bytes.length > 0) await answer.write(result.bytes);
  return { elapsedSeconds: result.elapsed };
}

async function runRead(
  engine: Engine,
  job: Job,
  statement: Read,
  pipePath: string,
  answer: Answer,
): Promise<Summary> {
  job.signal.throwIfAborted();
  const mark = randomUUID();
  const pipe = openPipe(pipePath);
  const text = utf8(statement.textWithOutput(pipePath, mark));
  const running = job.run(job.scope, text, statement.format).finally(() => pipe.close());
  // The engine may fail while its output is still being sent; both are awaited below.
  const outcome = running.then(
    result => ({ result, problem: undefined }),
    (error: unknown) => ({ result: undefined, problem: fromEngineOrOurs(error) }),
  );
  const cancelling = createCancelling(engine, mark);
  job.signal.addEventListener('abort', cancelling.start, { once: true });
  let failure: Error | undefined;
  try {
    // Reads to the end even if the response fails: the engine must be able to write until it stops,
    // and the pipe is free for the next request only then.
    for await (const chunk of pipe.output as AsyncIterable<Buffer>) {
      if (job.signal.aborted || failure !== undefined) continue;
      await answer.write(chunk).catch((error: Error) => {
        failure = error;
        cancelling.start();
      });
    }
  } catch (error) {
    // The pipe is no longer read: the engine gets EPIPE when it writes, or is canceled.
    failure = error as Error;
    cancelling.start();
  }
  const { result, problem } = await outcome;
  job.signal.removeEventListener('abort', cancelling.start);
  await cancelling.stop();
  if (failure !== undefined) throw failure;
  if (problem !== undefined) throw problem;
  // The engine counts the rows and bytes that it returns.
  const { rowsRead: resultRows, bytesRead: resultBytes } = result;
  return { ...summary(result), resultRows, resultBytes };
}

type Cancelling = { readonly start: () => void; readonly stop: () => Promise<void> };

/**
 * The engine does not notice a closed pipe, so the query is canceled. The cancellation is
 * repeated, because the query may begin after the first one.
 */
function createCancelling(engine: Engine, mark: string): Cancelling {
  // Slots, and so pipes, are reused soon; the mark belongs to this run only.
  const isMine = `query LIKE '%/* ${mark} */%' AND query NOT LIKE 'KILL%'`;
  let last: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    last = Promise.allSettled([last, engine.cancel(isMine)]).then(() => undefined);
  };
  return {
    start: () => {
      if (timer !== undefined) return;
      cancel();
      timer = setInterval(cancel, CANCEL_AGAIN_MS);
    },
    stop: () => {
      clearInterval(timer);
      return last;
    },
  };
}

function summary(result: NativeResult): Summary {
  const { rowsRead, bytesRead, elapsed } = result;
  return { rowsRead, bytesRead, elapsedSeconds: elapsed };
}

function fromEngineOrOurs(error: unknown): Exception {
  return error instanceof Exception ? error : fromEngine(error);
}

/** Decodes a byte string (see tokens.ts) to text. */
function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
