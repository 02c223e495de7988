// Assembles the statement from URL and body. The rows of an INSERT go to a file while they arrive:
// memory stays small, and no row is inserted before the body is complete.

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exception } from './exception.ts';
import type { InsertWithData } from './insert-statement.ts';
import {
  INLINE_VALUES_BYTES_MAX,
  INSERT_BYTES_MAX,
  STATEMENT_BYTES_MAX,
  WRITE_BYTES,
} from './limits.ts';
import { type Other, type Read, readStatement, readWhole } from './statement.ts';

export type Received =
  | Read
  | Other
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'insert';
      readonly text: string;
      discard(): Promise<void>;
    };

/** Throws an Exception for a rejected statement and for a truncated body. */
export async function receiveStatement(
  query: string,
  body: AsyncIterable<Buffer>,
  defaultFormat: string,
  bodiesDirectory: string,
): Promise<Received> {
  const chunks = body[Symbol.asyncIterator]();
  // As in ClickHouse, a line break separates the part in the URL from the body.
  let bytes = query === '' ? Buffer.alloc(0) : Buffer.from(`${query}\n`);
  let statement = readStatement(bytes.toString('latin1'), false, defaultFormat);
  let nextLook = 0;
  let isComplete = false;
  while (statement.kind === 'open') {
    const next = await chunks.next();
    isComplete = next.done === true;
    if (!isComplete) bytes = Buffer.concat([bytes, next.value as Buffer]);
    if (bytes.length > STATEMENT_BYTES_MAX) throw tooLarge('statement', STATEMENT_BYTES_MAX);
    // Parsing again only when the size has doubled keeps the total cost linear.
    if (!isComplete && bytes.length < nextLook) continue;
    nextLook = bytes.length * 2;
    statement = readStatement(bytes.toString('latin1'), isComplete, defaultFormat);
  }
  if (statement.kind === 'insert' && statement.format === 'Values') {
    while (!isComplete && bytes.length <= INLINE_VALUES_BYTES_MAX) {
      const next = await chunks.next();
      isComplete = next.done === true;
      if (!isComplete) bytes = Buffer.concat([bytes, next.value as Buffer]);
    }
    // Statements are text for the engine; rows in a file may be any bytes.
    const isInline = isComplete && bytes.length <= INLINE_VALUES_BYTES_MAX && isUtf8(bytes);
    if (isInline) return inlineValues(bytes);
  }
  if (statement.kind === 'refused') throw statement.problem;
  const text = statement.kind === 'insert' ? bytes.subarray(0, statement.dataStart) : bytes;
  if (!isUtf8(text)) throw exception('BAD_ARGUMENTS', 'The statement is not valid UTF-8');
  if (statement.kind === 'insert') return storeRows(statement, bytes, chunks, bodiesDirectory);
  return statement;
}

/** A few rows stay in the statement, which must then be a single statement. */
function inlineValues(bytes: Buffer): Received {
  const whole = readWhole(bytes.toString('latin1'), 'Null');
  if (whole.kind === 'refused') throw whole.problem;
  const text = whole.kind === 'other' ? whole.text : bytes.toString('latin1');
  return { kind: 'insert', text, discard: () => Promise.resolve() };
}

async function storeRows(
  insert: InsertWithData,
  bytes: Buffer,
  chunks: AsyncIterator<Buffer>,
  bodiesDirectory: string,
): Promise<Received> {
  const path = join(bodiesDirectory, randomUUID());
  const discard = () => rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  let bodyBytes = 0;
  let gathered: Buffer[] = [];
  let gatheredBytes = 0;
  const write = async () => {
    if (gatheredBytes > 0) await writeAll(file, gathered);
    gathered = [];
    gatheredBytes = 0;
  };
  try {
    let chunk: Buffer | undefined = bytes.subarray(insert.dataStart);
    while (chunk !== undefined) {
      bodyBytes += chunk.length;
      if (bodyBytes > INSERT_BYTES_MAX) throw tooLarge('insert', INSERT_BYTES_MAX);
      gathered.push(chunk);
      gatheredBytes += chunk.length;
      if (gatheredBytes >= WRITE_BYTES) await write();
      const next: IteratorResult<Buffer> = await chunks.next();
      chunk = next.done === true ? undefined : next.value;
    }
    await write();
  } catch (error) {
    await discard();
    throw error;
  } finally {
    await file.close();
  }
  return { kind: 'insert', text: insert.textWithFile(path), discard };
}

/** A write may be short, for example when the disk fills up. */
async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const { bytesWritten } = await file.writev(chunks);
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
}

function tooLarge(what: string, maximum: number) {
  return exception('QUERY_IS_TOO_LARGE', `The ${what} is larger than ${maximum} bytes`);
}
