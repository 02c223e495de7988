// The data that the page and the worker share: the settings that the worker needs for its reports, and the
// reports that the service has not accepted yet. It is on disk, because a browser ends workers after seconds.

export type PushSettings = {
  /** The address of the service, without a slash at its end. */
  readonly host: string;
  readonly writeKey: string;
  readonly propertyId: string;
  /** Undefined while the person has not consented: messages are shown, but not reported. */
  readonly person?: { readonly anonymousId: string; readonly userId?: string };
  /** For renewing a subscription. */
  readonly vapidPublicKey: string;
};

export type StoredReport = { readonly id: number; readonly body: string };

const NAME = 'engagement-push';
const VERSION = 1;
const SETTINGS = 'settings';
const REPORTS = 'reports';
/** More than accumulate during a week without a connection. The oldest are dropped first. */
const REPORTS_MAX = 200;

export type PushDatabase = Awaited<ReturnType<typeof openPushDatabase>>;

export async function openPushDatabase() {
  const opening = indexedDB.open(NAME, VERSION);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(SETTINGS);
    opening.result.createObjectStore(REPORTS, { autoIncrement: true });
  };
  const database = await resultOf(opening);
  // A later version may change the stores while this one is open.
  database.onversionchange = () => database.close();
  const store = (name: string, mode: IDBTransactionMode) =>
    database.transaction(name, mode).objectStore(name);
  return {
    close: () => database.close(),
    read: async <Value>(name: 'settings' | 'subscription'): Promise<Value | undefined> =>
      (await resultOf(store(SETTINGS, 'readonly').get(name))) as Value | undefined,
    write: (name: 'settings' | 'subscription', value: PushSettings | string) =>
      done(store(SETTINGS, 'readwrite'), settings => settings.put(value, name)),
    remove: (name: 'settings' | 'subscription') =>
      done(store(SETTINGS, 'readwrite'), settings => settings.delete(name)),
    async addReport(body: string): Promise<void> {
      const reports = store(REPORTS, 'readwrite');
      const keys = await resultOf(reports.getAllKeys());
      for (const key of keys.slice(0, Math.max(0, keys.length + 1 - REPORTS_MAX)))
        reports.delete(key);
      await done(reports, () => reports.add(body));
    },
    /** The oldest one. */
    async nextReport(): Promise<StoredReport | undefined> {
      const cursor = await resultOf(store(REPORTS, 'readonly').openCursor());
      return cursor === null
        ? undefined
        : { id: cursor.key as number, body: cursor.value as string };
    },
    clearReports: () => done(store(REPORTS, 'readwrite'), reports => reports.clear()),
    removeReport: (id: number) => done(store(REPORTS, 'readwrite'), reports => reports.delete(id)),
  };
}

function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB failed.'));
  });
}

/** Resolves once the change is stored. */
function done(store: IDBObjectStore, change: (store: IDBObjectStore) => unknown): Promise<void> {
  const { transaction } = store;
  change(store);
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error('IndexedDB failed.'));
    transaction.oncomplete = () => resolve();
    transaction.onerror = fail;
    transaction.onabort = fail;
  });
}
