// In-app campaigns: fetches the active campaigns of the person, shows them or passes them to
// the app, and reports the interactions. Loaded by the client when it is first used.

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

/**
 * The reports of an app that renders a campaign itself. Each is sent once, no matter how often the method is
 * called.
 */
export type Display = Pick<Feedback, 'shown' | 'clicked' | 'dismissed' | 'answered' | 'atStep'> & {
  /** Aborted when the campaign must no longer be shown, because it expired or is for another surface. */
  readonly signal: AbortSignal;
};

export type InAppOptions = {
  /** Only campaigns for this surface, or for all surfaces. Without it, campaigns for any surface. */
  readonly surface?: string;
  /** Returns true if the app shows the campaign itself; the client then shows nothing. */
  readonly render?: (campaign: ActiveCampaign, display: Display) => boolean;
  /** The element to which messages are added. Defaults to the body. */
  readonly container?: HTMLElement;
  /** The client's own texts in another language. */
  readonly words?: Partial<Words>;
  /** Called with each campaign that was not shown, and the reason. By default, a warning is logged to the console. */
  readonly onError?: (error: InAppError) => void;
};

export type InApp = {
  /** Fetches the campaigns again, optionally for another surface. Call it after a change of view or person. */
  refresh(change?: { readonly surface?: string }): Promise<void>;
  /** Removes all messages and shows no more. */
  stop(): void;
};

/** When a person returns to a tab after this time, the campaigns are fetched again. */
const STALE_MS = 60_000;
/** The longest delay of a timer. A campaign that expires later is not removed during this visit. */
const TIMER_MS_MAX = 2 ** 31 - 1;
const DISPLAY_ID_BYTES = 16;

type Shown = {
  readonly key: string;
  readonly place: Place | undefined;
  readonly identity: Identity;
  readonly remove: () => void;
  /** The campaign was answered, and only its thank-you text is shown until the person closes it. */
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
    // A later call or a change of person makes this response obsolete.
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

/** In the order of the response, which is sorted by priority. Undefined if there is no response. */
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

/**
 * Returns true if the app shows the campaign. Unlike the client's own messages, it stays until it is no longer
 * active.
 */
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

/** Infinity if the campaign does not expire, or if its time cannot be parsed. */
function leftMsOf({ expires_at }: ActiveCampaign): number {
  const expiresMs = Date.parse(expires_at ?? '');
  return Number.isNaN(expiresMs) ? Number.POSITIVE_INFINITY : expiresMs - Date.now();
}

/** Keeps the messages that are still active for the same person, and the thank-you texts. */
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
