// The IndexedDB of one write key: a store for events and one for reports, both in the order of their keys.

import type { Entry } from '../core/entry.ts';

/** Some browsers never respond. */
const OPEN_TIMEOUT_MS = 5_000;

export type StoreName = 'events' | 'reports';

export class Database {
  private readonly name: string;
  private opening: Promise<IDBDatabase> | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /**
   * Resolves when the transaction is complete, with the entries for which there was no room. Rejects if
   * none is stored.
   */
  async put(store: StoreName, entries: readonly Entry[], countMax: number) {
    let refused: readonly Entry[] = [];
    await this.change(store, objects => {
      const counting = objects.count();
      counting.onsuccess = () => {
        const room = Math.max(0, countMax - counting.result);
        refused = entries.slice(room);
        for (const entry of entries.slice(0, room)) objects.put(entry);
        // Otherwise the commit would wait for one more turn of a page that may be closing.
        objects.transaction.commit?.();
      };
    });
    return refused;
  }

  async first(store: StoreName, count: number): Promise<readonly Entry[]> {
    const database = await this.open();
    return new Promise((resolve, reject) => {
      const reading = database.transaction(store).objectStore(store).getAll(undefined, count);
      reading.onsuccess = () => resolve(reading.result as Entry[]);
      reading.onerror = () => reject(reading.error!);
    });
  }

  remove(store: StoreName, keys: readonly string[]): Promise<void> {
    return this.change(store, objects => {
      for (const key of keys) objects.delete(key);
    });
  }

  delete(): void {
    this.opening?.then(
      database => database.close(),
      () => undefined,
    );
    this.opening = undefined;
    try {
      indexedDB.deleteDatabase(this.name);
    } catch {
      // If the browser refuses access, there is nothing to delete.
    }
  }

  private async change(store: StoreName, work: (objects: IDBObjectStore) => void): Promise<void> {
    const database = await this.open();
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(store, 'readwrite');
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
      work(transaction.objectStore(store));
    });
  }

  /** A refusal is remembered until the page is closed. */
  private open(): Promise<IDBDatabase> {
    this.opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(this.name, 1);
      opening.onupgradeneeded = () => {
        for (const store of ['events', 'reports'])
          opening.result.createObjectStore(store, { keyPath: 'key' });
      };
      opening.onsuccess = () => {
        const database = opening.result;
        const forget = () => {
          this.opening = undefined;
        };
        // The person deletes the data of the site, or a later version of the client changes it.
        database.onclose = forget;
        database.onversionchange = () => {
          forget();
          database.close();
        };
        resolve(database);
      };
      opening.onerror = () => reject(opening.error!);
      setTimeout(() => reject(new Error('The database cannot be opened.')), OPEN_TIMEOUT_MS);
    });
    return this.opening;
  }
}
