// Every API process continuously sends webhooks in four loops: events become deliveries, deliveries
// are claimed and sent, results are written, and claims are renewed.

import type { Secrets } from '../../../schema/values/sealing.ts';
import type { AppDeps } from '../../platform/context.ts';
import { type Repeated, repeat } from '../../platform/jobs/repeat.ts';
import { secretsOf } from '../../platform/secrets.ts';
import { webhookSecretPlace } from '../signature.ts';
import { type Bell, createBell } from './bell.ts';
import {
  type ClaimedEndpoint,
  cancelDeliveries,
  claimDeliveries,
  dueEndpoints,
  FROM_THE_START,
  renewClaims,
} from './claim-deliveries.ts';
import { Dispatcher, type OpenedEndpoint } from './dispatcher.ts';
import { fanOutEvents } from './fan-out-events.ts';
import { createResolve, type Resolve } from './resolve-host.ts';
import { createSender, SEND_TIMING, type SendTiming } from './send-webhook.ts';
import { type Result, releaseDeliveries, settleDeliveries } from './settle-deliveries.ts';

export type Deliveries = {
  /** Gives requests in progress some seconds to finish. The rest is left to the next process. */
  stop(): Promise<void>;
};

type DeliveriesDeps = Pick<AppDeps, 'config' | 'database' | 'log' | 'metrics' | 'clock' | 'newId'>;

export type DeliveriesOptions = {
  readonly resolve?: Resolve;
  readonly ca?: string;
  readonly timing?: Partial<DeliveriesTiming>;
};

type DeliveriesTiming = SendTiming & {
  readonly leaseMs: number;
  readonly renewIntervalMs: number;
  readonly stopGraceMs: number;
};

const TIMING: DeliveriesTiming = {
  ...SEND_TIMING,
  // How long the claims of a killed process stay blocked. A busy process renews its claims in time.
  leaseMs: 10_000,
  renewIntervalMs: 3_000,
  /** A third of the time that the process has to stop. */
  stopGraceMs: 9_000,
};

/** A look reads one small index. With two looks, a webhook leaves within a second. */
const LOOK_INTERVAL_MS = 250;
const RETRY_MS_MAX = 10_000;
/** Gathers more results into one write while receivers respond quickly. */
const GATHER_MS = 10;
/** The limit per statement. */
const SETTLED_MAX = 500;
/**
 * The delay after a secret could not be opened, which an operator must fix in the configuration.
 */
const UNREADABLE_DELAY_MS = 60_000;

type Running = {
  readonly deps: DeliveriesDeps;
  readonly timing: DeliveriesTiming;
  readonly dispatcher: Dispatcher;
  readonly wanting: Bell;
  readonly settling: Bell;
  /** The endpoint ID after which the next look starts. */
  lookAfter: string;
};

export function startDeliveries(deps: DeliveriesDeps, options: DeliveriesOptions = {}): Deliveries {
  const timing = { ...TIMING, ...options.timing };
  const { resolve = createResolve(), ca } = options;
  const sender = createSender({
    ...deps.config.webhookAddresses,
    resolve,
    timing,
    ...(ca !== undefined && { ca }),
  });
  const [wanting, settling] = [createBell(), createBell()];
  const interrupting = new AbortController();
  const dispatcher = new Dispatcher({
    sender,
    // Receivers compare the timestamp with the time of day, not with the service's clock.
    nowMs: () => Date.now(),
    random: Math.random,
    wanting,
    settling,
    signal: interrupting.signal,
  });
  const running: Running = {
    deps,
    timing,
    dispatcher,
    wanting,
    settling,
    lookAfter: FROM_THE_START,
  };
  const stopping = new AbortController();
  const ending = new AbortController();
  const taking = [
    repeated(running, stopping.signal, () => fanOut(running)),
    repeated(running, stopping.signal, () => claimOnce(running, stopping.signal)),
  ];
  const keeping = [
    repeated(running, ending.signal, () => settleOnce(running, ending.signal)),
    // Retried at the same interval: a lease lasts for three renewals.
    repeated(running, ending.signal, () => renew(running), {
      intervalMs: timing.renewIntervalMs,
      retryMsMax: timing.renewIntervalMs,
    }),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(taking);
      dispatcher.releaseWaiting();
      await untilSent(running);
      interrupting.abort();
      ending.abort();
      await Promise.all(keeping);
      await settleAll(running).catch((error: unknown) => {
        deps.log.warn({ reason: String(error) }, 'could not write webhook results before shutdown');
      });
      sender.close();
    },
  };
}

function repeated(
  { deps: { log } }: Running,
  signal: AbortSignal,
  work: () => Promise<Repeated>,
  pauses = { intervalMs: LOOK_INTERVAL_MS, retryMsMax: RETRY_MS_MAX },
): Promise<void> {
  return repeat(work, {
    ...pauses,
    signal,
    onFailure: (error, failures) => {
      log.warn({ reason: (error as Error).message, failures }, 'webhook dispatch failed, retrying');
    },
  });
}

async function fanOut({ deps, wanting }: Running): Promise<Repeated> {
  const { due, isMore } = await fanOutEvents(deps);
  if (due > 0) wanting.ring();
  return isMore ? 'again' : 'wait';
}

/** Claims as much as the dispatcher has room for, then waits for more room or more deliveries. */
async function claimOnce(running: Running, signal: AbortSignal): Promise<Repeated> {
  await claim(running);
  await running.wanting.wait(LOOK_INTERVAL_MS, signal);
  return 'again';
}

async function claim(running: Running): Promise<void> {
  const { deps, timing, dispatcher, wanting } = running;
  const { deliveries, endpoints, next, isMore } = await deps.database.asSystem(async em => {
    const due = await dueEndpoints(em, running.lookAfter);
    const idle = due.endpoints.filter(({ state }) => state !== 'ENABLED');
    const cancelled = await cancelDeliveries(em, idle);
    // A disabled endpoint may have a pending test.
    const open = due.endpoints.filter(({ state }) =>
      cancelled.isMore ? state === 'ENABLED' : state !== null,
    );
    const claimed = await claimDeliveries(em, dispatcher.allowances(open), {
      leaseMs: timing.leaseMs,
      nowMs: deps.clock.nowMs(),
    });
    return { ...claimed, next: due.next, isMore: cancelled.isMore };
  });
  running.lookAfter = next;
  if (isMore || next !== FROM_THE_START) wanting.ring();
  const secrets = secretsOf(deps);
  for (const [endpointId, own] of Map.groupBy(deliveries, delivery => delivery.endpointId)) {
    const endpoint = endpoints.get(endpointId);
    const opened = endpoint && openSecrets(secrets, endpoint);
    if (opened !== undefined) {
      dispatcher.accept({ endpoint: opened, deliveries: own });
      continue;
    }
    if (endpoint !== undefined)
      deps.log.error({ endpointId }, 'webhook secret could not be decrypted, delivery postponed');
    dispatcher.putOff(own, endpoint === undefined ? 0 : UNREADABLE_DELAY_MS);
  }
}

/** Returns undefined if the endpoint has no secret or the key that sealed one is not configured. */
function openSecrets(
  secrets: Secrets,
  { id, url, secrets: sealed }: ClaimedEndpoint,
): OpenedEndpoint | undefined {
  try {
    const opened = sealed.map(one => secrets.open(webhookSecretPlace(id), one));
    return opened.length === 0 ? undefined : { id, url, secrets: opened };
  } catch {
    // The row names the missing key; the cipher's error adds nothing.
    return undefined;
  }
}

async function settleOnce(running: Running, signal: AbortSignal): Promise<Repeated> {
  const { settling } = running;
  await settling.wait(RETRY_MS_MAX, signal);
  await new Promise(resolve => setTimeout(resolve, GATHER_MS));
  await settleAll(running).catch((error: unknown) => {
    // The results are still held; the next iteration writes them.
    settling.ring();
    throw error;
  });
  return 'again';
}

async function settleAll(running: Running): Promise<void> {
  const { deps, dispatcher } = running;
  for (;;) {
    const some = dispatcher.unwritten(SETTLED_MAX);
    if (some.results.length === 0 && some.releases.length === 0) return;
    const { disabled } = await deps.database.asSystem(async em => {
      if (some.releases.length > 0) await releaseDeliveries(em, some.releases);
      if (some.results.length === 0) return { disabled: [] };
      return settleDeliveries({ em, deps }, some.results);
    });
    dispatcher.written(some);
    measure(deps, some.results);
    for (const { endpointId, reason } of disabled) {
      deps.metrics.webhookEndpointsDisabled.inc({ reason });
      deps.log.warn({ endpointId, reason }, 'webhook endpoint disabled');
    }
  }
}

function measure({ metrics }: DeliveriesDeps, results: readonly Result[]): void {
  for (const { attempted } of results) {
    const { outcome, latencyMs } = attempted;
    metrics.webhookSeconds.observe({ outcome }, latencyMs / 1000);
  }
}

async function renew({ deps, dispatcher, timing }: Running): Promise<Repeated> {
  const claims = dispatcher.claims();
  if (claims.length > 0)
    await deps.database.asSystem(em => renewClaims(em, claims, timing.leaseMs));
  return 'wait';
}

async function untilSent({ dispatcher, timing }: Running): Promise<void> {
  const deadline = performance.now() + timing.stopGraceMs;
  while (dispatcher.isSending() && performance.now() < deadline)
    await new Promise(resolve => setTimeout(resolve, GATHER_MS));
}
