import type { Entry } from './entry.ts';
import { valuesOf } from './json.ts';
import { QUEUE_BYTES_MAX, QUEUE_ENTRIES_MAX } from './limits.ts';
import type { OnProblem } from './problem.ts';
import type { Queue } from './queue.ts';

/** A bounded queue in memory, for Node and for browsers that refuse access to their storage. */
export class MemoryQueue implements Queue {
  private readonly entries = new Map<string, Entry>();
  private readonly onProblem: OnProblem;
  private bytes = 0;

  constructor(onProblem: OnProblem) {
    this.onProblem = onProblem;
  }

  get size(): number {
    return this.entries.size;
  }

  add(entry: Entry): void {
    if (this.size >= QUEUE_ENTRIES_MAX || this.bytes + entry.bytes > QUEUE_BYTES_MAX) {
      reportFull(this.onProblem, [entry]);
      return;
    }
    this.bytes += entry.bytes;
    this.entries.set(entry.key, entry);
  }

  take(count: number): Promise<readonly Entry[]> {
    const taken: Entry[] = [];
    for (const entry of this.entries.values()) {
      if (taken.length === count) break;
      taken.push(entry);
    }
    return Promise.resolve(taken);
  }

  remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.bytes -= this.entries.get(key)?.bytes ?? 0;
      this.entries.delete(key);
    }
    return Promise.resolve();
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }
}

export function reportFull(onProblem: OnProblem, entries: readonly Entry[]): void {
  onProblem({
    code: 'QUEUE_FULL',
    message: 'The queue is full, so new events are dropped.',
    lost: valuesOf(entries),
  });
}
