// Remembers what a person closed, so that it does not come back on the next page. The service
// counts clicks and dismissals of people with a user ID, a second or two after they are reported.
// It cannot count those of anonymous people, so for them the browser has to remember.

const STORAGE_KEY = 'in-app.closed';
/** Longer than a report takes to count, shorter than a person would wait for what may come back. */
const IDENTIFIED_MS = 60_000;
const ANONYMOUS_MS = 30 * 24 * 60 * 60 * 1000;
/** As many as one page could show in half a year; older ones are forgotten first. */
const CAMPAIGNS_MAX = 200;

export type ClosedCampaigns = {
  add(key: string): void;
  has(key: string, isAnonymous: boolean): boolean;
  /** Deletes what is stored; for this page it is still remembered. */
  forget(): void;
};

type Deps = { readonly storage: () => Storage; readonly nowMs: () => number };

export function createClosedCampaigns({ storage, nowMs }: Deps): ClosedCampaigns {
  const onThisPage = new Set<string>();
  return {
    add(key) {
      onThisPage.add(key);
      const others = read(storage).filter(([other]) => other !== key);
      write(storage, [...others, [key, nowMs()] as const].slice(-CAMPAIGNS_MAX));
    },
    forget() {
      try {
        storage().removeItem(STORAGE_KEY);
      } catch {
        // Then nothing is stored either.
      }
    },
    has(key, isAnonymous) {
      if (onThisPage.has(key)) return true;
      const closedMs = read(storage).find(([other]) => other === key)?.[1];
      if (closedMs === undefined) return false;
      return nowMs() - closedMs < (isAnonymous ? ANONYMOUS_MS : IDENTIFIED_MS);
    },
  };
}

type Closed = readonly (readonly [key: string, closedMs: number])[];

/** Storage may be denied, full, or hold what somebody else wrote. */
function read(storage: () => Storage): Closed {
  try {
    const stored: unknown = JSON.parse(storage().getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function write(storage: () => Storage, closed: Closed): void {
  try {
    storage().setItem(STORAGE_KEY, JSON.stringify(closed));
  } catch {
    // Then it is remembered for this page only.
  }
}

function isEntry(value: unknown): value is Closed[number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}
