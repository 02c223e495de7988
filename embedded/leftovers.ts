// Children that outlived a killed supervisor. They notice, drain and end by themselves; a new
// start sees to that first, since they still hold their ports and directories.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, signalUntilGone } from './processes.ts';

/** They began to drain when their supervisor died. What is acknowledged is safe on disk, so a
 * user's start need not wait for all of it. */
const DRAIN_MS = 5_000;
const KILL_MS = 2_000;

type Recorded = Record<string, { pid: number; command: string }>;

/** Keeps what is needed to know a child again: its pid, and how it was called. */
export class ChildRecord {
  readonly #file: string;
  #children: Recorded = {};

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'children.json');
  }

  async add(name: string, pid: number): Promise<void> {
    this.#children[name] = { pid, command: await commandLine(pid) };
    const unfinished = `${this.#file}.new`;
    writeFileSync(unfinished, JSON.stringify(this.#children), { mode: 0o600 });
    renameSync(unfinished, this.#file);
  }

  /** Called by the holder of the directory's lock, before it starts anything. */
  async stopLeftovers(): Promise<void> {
    await Promise.all(
      Object.values(this.#read()).map(async ({ pid, command }) => {
        if (command === '' || (await commandLine(pid)) !== command) return;
        await signalUntilGone(pid, [
          { signal: 'SIGTERM', waitMs: DRAIN_MS },
          { signal: 'SIGKILL', waitMs: KILL_MS },
        ]);
      }),
    );
  }

  #read(): Recorded {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Recorded;
    } catch {
      // None yet, or cut off by a crash: then the ports and locks of the children speak for them.
      return {};
    }
  }
}
