// Named pipes between the engine and this process. The engine's own writers format every output
// format correctly over a whole result, and a pipe slows them down when the client reads slowly.
// chdb's streaming interface would format each block as a result of its own.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

export type PipeReader = {
  readonly output: Socket;
  /** Call when the engine is done: the rest of the pipe is read, then `output` ends. */
  close(): void;
};

/**
 * Creates the pipes; their directory must be empty. Node has no mkfifo, but every POSIX system
 * does.
 */
export function makePipes(directory: string, count: number): string[] {
  const paths = Array.from({ length: count }, (_, index) => join(directory, String(index)));
  try {
    execFileSync('mkfifo', ['-m', '600', ...paths], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (cause) {
    throw new Error('the embedded ClickHouse requires the program mkfifo (POSIX)', { cause });
  }
  return paths;
}

/** Our own write end keeps the pipe open until close(), whether or not the engine ever opens it. */
export function openPipe(path: string): PipeReader {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let writer: number;
  try {
    writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    closeSync(reader);
    throw error;
  }
  const output = new Socket({ fd: reader, readable: true, writable: false });
  return { output, close: () => closeSync(writer) };
}
