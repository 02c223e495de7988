// In-app campaigns: fetches those that are active for the person, shows them or hands them to the
// app, and reports what happens to them. Loaded by the client when it is first used.

import type { ClientHost, Identity } from '../core/client-host.ts';
import { type ActiveCampaign, keyOf, readCampaign } from './campaign.ts';
import { createClosedCampaigns } from './closed-campaigns.ts';
import type { InAppError, TellFault } from './faults.ts';
import { createFeedback, type Feedback } from './feedback.ts';
import type { Place } from './kinds/kind.ts';
import { KINDS } from './kinds/kinds.ts';
import { openMessage } from './message-frame.ts';
import { ENGLISH, type Words } from './words.ts';

export type { ActiveCampaign } from './campaign.ts';
export type { InAppError, InAppErrorCode } from './faults.ts';
export type { Words } from './words.ts';

/** What an app that renders a campaign itself reports. Each is sent once, however often called. */
export type Display = Pick<Feedback, 'shown' | 'clicked' | 'dismissed' | 'answered' | 'atStep'> & {
  /** Aborted when the campaign must no longer be shown: it expired, or is for another surface. */
  readonly signal: AbortSignal;
};

export type InAppOptions = {
  /** Only campaigns for this surface, or for all surfaces. Without it, campaigns for any surface. */
  readonly surface?: string;
  /** Returns true if the app shows the campaign itself; the client then shows nothing. */
  readonly render?: (campaign: ActiveCampaign, display: Display) => boolean;
  /** Where messages are added to the page. The body, if not set. */
  readonly container?: HTMLElement;
  /** The client's own words in another language. */
  readonly words?: Partial<Words>;
  /** Told of everything that was not shown, and why. Written to the console, if not set. */
  readonly onError?: (error: InAppError) => void;
};

export type InApp = {
  /** Fetches again, for another surface where one is given: after a change of view or of person. */
  refresh(change?: { readonly surface?: string }): Promise<void>;
  /** Removes all messages, and shows none from then on. */
  stop(): void;
};

/** A person who returns to a tab after this long gets what has become active since. */
const STALE_MS = 60_000;
/** The longest delay of a timer; a later expiry is for another visit. */
const TIMER_MS_MAX = 2 ** 31 - 1;
const DISPLAY_ID_BYTES = 16;

type Shown = {
  readonly key: string;
  readonly place: Place | undefined;
  readonly identity: Identity;
  readonly remove: () => void;
  /** Answered, and now only says thanks until the person closes it. */
  isEnded: boolean;
};

export function startInApp(host: ClientHost, options: InAppOptions = {}): InApp {
  const onError = options.onError ?? (error => console.warn('[in-app]', error));
  const closed = createClosedCampaigns({ storage: () => localStorage, nowMs: Date.now });
  const shown = new Map<string, Shown>();
  const life = new AbortController();
  let { surface } = options;
  let fetchedMs = 0;
  let latest = 0;

  const refresh: InApp['refresh'] = async change => {
    if (life.signal.aborted) return;
    surface = change?.surface ?? surface;
    latest += 1;
    const turn = latest;
    if (!host.hasConsent()) {
      closed.forget();
      removeAll(shown);
      return;
    }
    fetchedMs = Date.now();
    const identity = host.identity();
    // A later call, or a person who has changed meanwhile, makes this answer worthless.
    const isStale = () =>
      life.signal.aborted ||
      turn !== latest ||
      !host.hasConsent() ||
      !isSamePerson(identity, host.identity());
    const tell = (error: InAppError) => isStale() || onError(error);
    const campaigns = await fetchCampaigns(host, surface, tell);
    if (campaigns === undefined || isStale()) return;
    removeOthers(shown, campaigns, identity);
    for (const campaign of campaigns) {
      const key = keyOf(campaign);
      if (shown.has(key) || closed.has(key, identity.userId === undefined)) continue;
      if (leftMsOf(campaign) <= 0) continue;
      show(campaign, { host, identity, options, shown, onError, onEnd: () => closed.add(key) });
    }
  };
  const onReturn = () => {
    const isStale = Date.now() - fetchedMs > STALE_MS;
    if (document.visibilityState === 'visible' && isStale) void refresh();
  };
  document.addEventListener('visibilitychange', onReturn, { signal: life.signal });
  void refresh();
  return {
    refresh,
    stop() {
      life.abort();
      removeAll(shown);
    },
  };
}

/** In the order of the answer, which is that of their priority. Undefined if there is none. */
async function fetchCampaigns(
  host: ClientHost,
  surface: string | undefined,
  onError: (error: InAppError) => void,
): Promise<readonly ActiveCampaign[] | undefined> {
  const query = surface === undefined ? '' : `?current_surface=${encodeURIComponent(surface)}`;
  try {
    const answer = await host.fetchJson(`/v1/in-app/active${query}`);
    if (!Array.isArray(answer)) throw new TypeError('The response is not a list.');
    return answer.flatMap(value => {
      const campaign = readCampaign(value);
      if (campaign !== undefined) return campaign;
      onError({ code: 'MALFORMED_CAMPAIGN', message: 'It has no ID, type or content.' });
      return [];
    });
  } catch (cause) {
    onError({ code: 'FETCH_FAILED', message: 'The campaigns could not be fetched.', cause });
    return undefined;
  }
}

type ShowDeps = {
  readonly host: ClientHost;
  readonly identity: Identity;
  readonly options: InAppOptions;
  readonly shown: Map<string, Shown>;
  readonly onError: (error: InAppError) => void;
  readonly onEnd: () => void;
};

function show(campaign: ActiveCampaign, deps: ShowDeps): void {
  const { host, identity, options, shown, onError } = deps;
  const key = keyOf(campaign);
  const tellFault: TellFault = (code, message, cause) =>
    onError({ code, message, campaignId: campaign.campaign_id, ...(cause ? { cause } : {}) });
  const feedback = createFeedback(campaign, {
    host,
    identity,
    displayId: newDisplayId(),
    tellFault,
    onEnd: () => {
      deps.onEnd();
      const own = shown.get(key);
      if (own !== undefined) own.isEnded = true;
    },
  });
  const add = (place: Place | undefined, remove: () => void) => {
    const leftMs = leftMsOf(campaign);
    if (leftMs <= TIMER_MS_MAX) setTimeout(remove, leftMs);
    shown.set(key, { key, place, identity, isEnded: false, remove });
    feedback.served();
  };
  if (handToApp(campaign, feedback, options.render, tellFault, add)) return;
  const kind = KINDS.get(campaign.type);
  if (kind === undefined) {
    tellFault('UNKNOWN_KIND', `${campaign.type} is not a known type.`);
    return;
  }
  if ([...shown.values()].some(({ place }) => place === kind.place)) return;
  try {
    const remove = openMessage(campaign, kind, {
      container: options.container ?? document.body,
      words: { ...ENGLISH, ...options.words },
      feedback,
      tellFault,
      nowMs: Date.now,
      onRemoved: () => shown.delete(key),
    });
    if (remove !== undefined) add(kind.place, remove);
  } catch (cause) {
    tellFault('RENDER_FAILED', 'The browser could not show it.', cause);
  }
}

/** True if the app took it. Unlike the client's own messages, it stays until it is no longer active. */
function handToApp(
  campaign: ActiveCampaign,
  feedback: Feedback,
  render: InAppOptions['render'],
  tellFault: TellFault,
  add: (place: undefined, remove: () => void) => void,
): boolean {
  if (render === undefined) return false;
  const removal = new AbortController();
  const { shown, clicked, dismissed, answered, atStep } = feedback;
  const display = { shown, clicked, dismissed, answered, atStep, signal: removal.signal };
  try {
    if (!render(campaign, display)) return false;
  } catch (cause) {
    tellFault('RENDER_FAILED', 'render threw an error.', cause);
    return false;
  }
  add(undefined, () => removal.abort());
  return true;
}

/** Endless if it does not expire, or has no readable time. */
function leftMsOf({ expires_at }: ActiveCampaign): number {
  const expiresMs = Date.parse(expires_at ?? '');
  return Number.isNaN(expiresMs) ? Number.POSITIVE_INFINITY : expiresMs - Date.now();
}

/** Keeps what is still active for the same person, and thanks that are being read. */
function removeOthers(
  shown: Map<string, Shown>,
  campaigns: readonly ActiveCampaign[],
  identity: Identity,
): void {
  const active = new Set(campaigns.map(keyOf));
  for (const one of shown.values()) {
    const isKept = isSamePerson(one.identity, identity) && (one.isEnded || active.has(one.key));
    if (isKept) continue;
    shown.delete(one.key);
    one.remove();
  }
}

function removeAll(shown: Map<string, Shown>): void {
  for (const { key, remove } of shown.values()) {
    shown.delete(key);
    remove();
  }
}

function isSamePerson(a: Identity, b: Identity): boolean {
  return a.userId === b.userId && a.anonymousId === b.anonymousId;
}

/** Pages without https have no crypto.randomUUID. */
function newDisplayId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(DISPLAY_ID_BYTES));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
