// Remembers the campaigns that a person closed, so that they do not reappear on the next page. The service
// counts clicks and dismissals of people with a user ID, a second or two after they are reported.
// It cannot count those of anonymous people, so for them the browser has to remember.

const STORAGE_KEY = 'in-app.closed';
/**
 * Longer than the service takes to count a report, and short enough that a campaign that may be shown again
 * reappears soon.
 */
const IDENTIFIED_MS = 60_000;
const ANONYMOUS_MS = 30 * 24 * 60 * 60 * 1000;
/** As many as one page could show in half a year. The oldest are forgotten first. */
const CAMPAIGNS_MAX = 200;

export type ClosedCampaigns = {
  add(key: string): void;
  has(key: string, isAnonymous: boolean): boolean;
  /** Deletes the stored campaigns. This page still remembers them. */
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

/** Access to the storage may be denied, the storage may be full, or another program may have written to it. */
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
    // The campaign is then remembered by this page only.
  }
}

function isEntry(value: unknown): value is Closed[number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}
