import type { Entry } from '../core/entry.ts';
import { BATCH_EVENTS_MAX, QUEUE_ENTRIES_MAX } from '../core/limits.ts';
import { MemoryQueue, reportFull } from '../core/memory-queue.ts';
import type { OnProblem } from '../core/problem.ts';
import type { Queue } from '../core/queue.ts';
import type { Database, StoreName } from './database.ts';

/**
 * A queue that all tabs share and that survives them. Entries that the browser refuses to store are kept in
 * memory.
 */
export class StoredQueue implements Queue {
  /** Entries that this page added and that are not known to be removed. They are sent when the page is closed. */
  readonly recent = new Map<string, Entry>();
  /** Entries that are not known to be stored yet. */
  unsaved: Entry[] = [];
  private readonly database: Database;
  private readonly store: StoreName;
  private readonly memory: MemoryQueue;
  private readonly onProblem: OnProblem;
  private saving: Promise<void> = Promise.resolve();
  private isSaveDue = false;
  private isRefused = false;

  constructor(database: Database, store: StoreName, onProblem: OnProblem) {
    this.database = database;
    this.store = store;
    this.onProblem = onProblem;
    this.memory = new MemoryQueue(onProblem);
  }

  add(entry: Entry): void {
    this.unsaved.push(entry);
    if (this.recent.size < BATCH_EVENTS_MAX) this.recent.set(entry.key, entry);
    if (this.isSaveDue) return;
    this.isSaveDue = true;
    // All entries that the page adds in its current task are stored in one transaction.
    this.saving = Promise.all([this.saving, Promise.resolve()]).then(() => this.save());
  }

  async take(count: number): Promise<readonly Entry[]> {
    await this.saving;
    const known = [...this.recent.keys()];
    const stored = await this.database.first(this.store, count).catch(() => []);
    const taken = [...stored, ...(await this.memory.take(count - stored.length))];
    // This is the whole queue, so another tab has sent the rest.
    if (taken.length < count) {
      const left = new Set(taken.map(({ key }) => key));
      for (const key of known) if (!left.has(key)) this.recent.delete(key);
    }
    return taken;
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.recent.delete(key);
    await this.memory.remove(keys);
    // They are then sent again, under the same IDs.
    await this.database.remove(this.store, keys).catch(() => undefined);
  }

  /** Forgets the entries in the memory of this page; called when the database is deleted. */
  forget(): void {
    this.recent.clear();
    this.unsaved = [];
    this.memory.clear();
  }

  private async save(): Promise<void> {
    this.isSaveDue = false;
    const entries = [...this.unsaved];
    if (entries.length === 0) return;
    try {
      const refused = await this.database.put(this.store, entries, QUEUE_ENTRIES_MAX);
      for (const { key } of refused) this.recent.delete(key);
      if (refused.length > 0) reportFull(this.onProblem, refused);
    } catch (error) {
      for (const entry of entries) this.memory.add(entry);
      this.reportRefused(error);
    }
    const saved = new Set(entries);
    this.unsaved = this.unsaved.filter(entry => !saved.has(entry));
  }

  private reportRefused(error: unknown): void {
    if (this.isRefused) return;
    this.isRefused = true;
    const message = `Events are kept in memory only: ${String(error)}`;
    this.onProblem({ code: 'STORAGE_UNAVAILABLE', message, lost: [] });
  }
}
