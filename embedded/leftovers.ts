// Children that outlived a killed supervisor. They detect this, drain and exit automatically. A
// new start waits for that first, because they still hold their ports and directories.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, signalUntilGone, startTime } from './processes.ts';

/**
 * The children began to drain when their supervisor died. Acknowledged events are safe on disk, so a start does
 * not wait until all of them are delivered.
 */
const DRAIN_MS = 5_000;
const KILL_MS = 2_000;

type Child = { readonly pid: number; readonly command: string; readonly startedAt: string };

/** Stores what identifies a child later: its process ID, its command line and its start time. */
export class ChildRecord {
  readonly #file: string;
  #children: Record<string, Child> = {};

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'children.json');
  }

  async add(name: string, pid: number): Promise<void> {
    this.#children[name] = await describe(pid);
    const unfinished = `${this.#file}.new`;
    writeFileSync(unfinished, JSON.stringify(this.#children), { mode: 0o600 });
    renameSync(unfinished, this.#file);
  }

  /** Called by the holder of the directory's lock, before it starts anything. */
  async stopLeftovers(): Promise<void> {
    await Promise.all(
      Object.values(this.#read()).map(async child => {
        const now = await describe(child.pid);
        // The process ID may have been reused by another program, even by a program of another installation.
        if (now.command === '' || now.startedAt === '') return;
        if (now.command !== child.command || now.startedAt !== child.startedAt) return;
        await signalUntilGone(child.pid, [
          { signal: 'SIGTERM', waitMs: DRAIN_MS },
          { signal: 'SIGKILL', waitMs: KILL_MS },
        ]);
      }),
    );
  }

  /** After a clean stop, no child is left to recognize. */
  remove(): void {
    rmSync(this.#file, { force: true });
  }

  #read(): Record<string, Child> {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, Child>;
    } catch {
      // Missing or truncated by a crash: the ports and locks of the children then reveal them.
      return {};
    }
  }
}

async function describe(pid: number): Promise<Child> {
  const [command, startedAt] = await Promise.all([commandLine(pid), startTime(pid)]);
  return { pid, command, startedAt };
}
