// The deliveries that this process has claimed. Each endpoint has a queue; a part of each queue is
// being sent, and results wait to be written. No endpoint's queue waits for another's.

import { retryDelayMs } from '../schedule.ts';
import { signatureHeader } from '../signature.ts';
import type { Bell } from './bell.ts';
import type { Allowance, ClaimedDelivery, DueEndpoint } from './claim-deliveries.ts';
import {
  CONNECTIONS_MAX,
  FAILING_PACE,
  FIRST_PACE,
  nextPace,
  type Pace,
  PROMPT_MAX,
  SLOW_MAX,
} from './endpoint-pace.ts';
import { postedBody } from './posted-body.ts';
import type { Attempted, Sender } from './send-webhook.ts';
import type { Release, Result } from './settle-deliveries.ts';

type DispatcherDeps = {
  readonly sender: Sender;
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Rings when more deliveries may be claimed. */
  readonly wanting: Bell;
  /** Rings when results are to be written. */
  readonly settling: Bell;
  /** When aborted, requests in progress end as INTERRUPTED. */
  readonly signal: AbortSignal;
};

type Line = {
  /** The endpoint as of the last claim. */
  readonly endpoint: OpenedEndpoint;
  readonly deliveries: readonly ClaimedDelivery[];
};

export type OpenedEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly secrets: readonly string[];
};

type State = {
  pace: Pace;
  endpoint: OpenedEndpoint | undefined;
  waiting: ClaimedDelivery[];
  sending: number;
  /** Claimed and not yet written: waiting, being sent, or finished. */
  held: number;
  pausedUntilMs: number;
};

/** The longest pause. A receiver that asked for a longer one is tried again after it. */
const PAUSE_MS_MAX = 60 * 60 * 1000;
/** The limit of remembered paces. A forgotten endpoint starts with the first pace. */
const STATES_MAX = 20_000;
/** Statuses that concern the receiver as a whole and not only the delivery. */
const PAUSING_STATUSES: ReadonlySet<number | undefined> = new Set([429, 503]);

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #states = new Map<string, State>();
  /**
   * Holds claims, not IDs: a claim that expired while Postgres was unavailable may have been made
   * again.
   */
  readonly #held = new Set<ClaimedDelivery>();
  #results: Result[] = [];
  #releases: Release[] = [];

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  /**
   * Returns how many deliveries of each endpoint may be claimed now, omitting endpoints with none.
   */
  allowances(due: readonly DueEndpoint[]): readonly Allowance[] {
    const room = this.#room();
    const lanes = Map.groupBy(due, ({ id, isFailing }) => this.#stateOf(id, isFailing).pace.isSlow);
    return [...lanes].flatMap(([isSlow, endpoints]) =>
      this.#share(endpoints, isSlow ? room.slow : room.prompt),
    );
  }

  accept({ endpoint, deliveries }: Line): void {
    const state = this.#stateOf(endpoint.id, false);
    state.endpoint = endpoint;
    state.held += deliveries.length;
    for (const delivery of deliveries) {
      state.waiting.push(delivery);
      this.#held.add(delivery);
    }
    this.#advance(state);
  }

  /** Returns claimed deliveries unsent. */
  putOff(deliveries: readonly ClaimedDelivery[], delayMs: number): void {
    for (const delivery of deliveries) {
      this.#stateOf(delivery.endpointId, false).held++;
      this.#held.add(delivery);
      this.#releases.push({ delivery, delayMs });
    }
    this.#deps.settling.ring();
  }

  /** Starts no more requests and returns the waiting deliveries. */
  releaseWaiting(): void {
    for (const state of this.#states.values()) this.#release(state.waiting.splice(0), 0);
  }

  /** Returns the claims to renew. */
  claims(): readonly ClaimedDelivery[] {
    return [...this.#held];
  }

  isSending(): boolean {
    return [...this.#states.values()].some(({ sending }) => sending > 0);
  }

  /** Returns results and releases to write. `written` confirms them. */
  unwritten(max: number): {
    readonly results: readonly Result[];
    readonly releases: readonly Release[];
  } {
    return { results: this.#results.slice(0, max), releases: this.#releases.slice(0, max) };
  }

  written({ results, releases }: ReturnType<Dispatcher['unwritten']>): void {
    this.#results = this.#results.slice(results.length);
    this.#releases = this.#releases.slice(releases.length);
    for (const { delivery } of [...results, ...releases]) this.#forget(delivery);
    this.#deps.wanting.ring();
  }

  #forget(delivery: ClaimedDelivery): void {
    if (this.#held.delete(delivery)) this.#stateOf(delivery.endpointId, false).held--;
  }

  #advance(state: State): void {
    const { pace, endpoint, waiting } = state;
    const connections = Math.min(pace.window, CONNECTIONS_MAX);
    while (endpoint !== undefined && state.sending < connections && waiting.length > 0) {
      state.sending++;
      void this.#send(state, endpoint, waiting.shift()!);
    }
  }

  async #send(state: State, endpoint: OpenedEndpoint, delivery: ClaimedDelivery): Promise<void> {
    const attemptedAtMs = this.#deps.nowMs();
    const attempted = await this.#deps.sender.send(
      requestOf(endpoint, delivery, attemptedAtMs),
      this.#deps.signal,
    );
    state.sending--;
    state.pace = nextPace(state.pace, attempted);
    this.#results.push({
      delivery,
      attempted,
      attemptedAtMs,
      retryDelayMs: this.#retryDelayMs(delivery, attempted),
    });
    this.#deps.settling.ring();
    this.#heed(state, attempted);
    this.#advance(state);
  }

  /** Returns the waiting deliveries of an endpoint that is slow or asked for a pause. */
  #heed(state: State, { status, retryAfterMs = 0 }: Attempted): void {
    const nowMs = this.#deps.nowMs();
    if (retryAfterMs > 0 && PAUSING_STATUSES.has(status))
      state.pausedUntilMs = nowMs + Math.min(retryAfterMs, PAUSE_MS_MAX);
    if (isPaused(state, nowMs)) this.#release(state.waiting.splice(0), state.pausedUntilMs - nowMs);
    else if (state.pace.isSlow)
      this.#release(state.waiting.splice(Math.max(0, state.pace.window - state.sending)), 0);
  }

  #release(deliveries: readonly ClaimedDelivery[], delayMs: number): void {
    if (deliveries.length === 0) return;
    for (const delivery of deliveries) this.#releases.push({ delivery, delayMs });
    this.#deps.settling.ring();
  }

  #retryDelayMs({ step, isTest }: ClaimedDelivery, attempted: Attempted): number | undefined {
    const { outcome, retryAfterMs } = attempted;
    if (outcome === 'INTERRUPTED') return 0;
    if (outcome === 'DELIVERED' || outcome === 'GONE' || isTest) return undefined;
    return retryDelayMs({ failures: step + 1, retryAfterMs, random: this.#deps.random() });
  }

  #room(): { readonly prompt: number; readonly slow: number } {
    let [prompt, slow] = [PROMPT_MAX, SLOW_MAX];
    for (const { pace, held } of this.#states.values()) {
      if (pace.isSlow) slow -= held;
      else prompt -= held;
    }
    return { prompt, slow };
  }

  /** Shares the room equally, in a random order in case there is too little for all. */
  #share(endpoints: readonly DueEndpoint[], room: number): readonly Allowance[] {
    const nowMs = this.#deps.nowMs();
    const free = endpoints
      .map(({ id, isFailing }) => ({ id, state: this.#stateOf(id, isFailing) }))
      .filter(({ state }) => !isPaused(state, nowMs) && state.held < state.pace.window);
    const each = Math.max(1, Math.floor(room / Math.max(1, free.length)));
    const start = Math.floor(this.#deps.random() * free.length);
    return [...free.slice(start), ...free.slice(0, start)]
      .slice(0, Math.max(0, Math.floor(room / each)))
      .map(({ id, state }) => ({
        endpointId: id,
        max: Math.min(each, state.pace.window - state.held),
      }));
  }

  #stateOf(endpointId: string, isFailing: boolean): State {
    const known = this.#states.get(endpointId);
    if (known !== undefined) return known;
    const state: State = {
      pace: isFailing ? FAILING_PACE : FIRST_PACE,
      endpoint: undefined,
      waiting: [],
      sending: 0,
      held: 0,
      pausedUntilMs: 0,
    };
    this.#states.set(endpointId, state);
    if (this.#states.size > STATES_MAX) this.#forgetOneState();
    return state;
  }

  #forgetOneState(): void {
    for (const [id, { held }] of this.#states)
      if (held === 0) {
        this.#states.delete(id);
        return;
      }
  }
}

/** A pause longer than the limit was started before the clock was set back, so it is ignored. */
function isPaused({ pausedUntilMs }: State, nowMs: number): boolean {
  return pausedUntilMs > nowMs && pausedUntilMs <= nowMs + PAUSE_MS_MAX;
}

function requestOf(
  { url, secrets }: OpenedEndpoint,
  delivery: ClaimedDelivery,
  attemptedAtMs: number,
) {
  const { eventId, requestId } = delivery;
  const body = postedBody(delivery);
  const timestamp = Math.floor(attemptedAtMs / 1000);
  return {
    url,
    body,
    headers: {
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader(secrets, { id: eventId, timestamp, body }),
      ...(requestId !== null && { 'x-request-id': requestId }),
    },
  };
}
