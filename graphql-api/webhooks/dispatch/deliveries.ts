// Every API process sends webhooks, all the time: events become deliveries, deliveries are claimed,
// sent, and what became of them is written; each of these goes on by itself.

import type { AppDeps } from '../../platform/context.ts';
import { type Repeated, repeat } from '../../platform/jobs/repeat.ts';
import { secretsOf } from '../../platform/secrets.ts';
import { type Bell, createBell } from './bell.ts';
import {
  type ClaimedEndpoint,
  cancelDeliveries,
  claimDeliveries,
  dueEndpoints,
  FROM_THE_START,
  renewClaims,
} from './claim-deliveries.ts';
import { Dispatcher } from './dispatcher.ts';
import { fanOutEvents } from './fan-out-events.ts';
import { openSecrets } from './open-secrets.ts';
import { createResolve, type Resolve } from './resolve-host.ts';
import { createSender, SEND_TIMING, type SendTiming } from './send-webhook.ts';
import { type Result, releaseDeliveries, settleDeliveries } from './settle-deliveries.ts';

export type Deliveries = {
  /** What is being sent has some seconds to end; the rest stays for the next process. */
  stop(): Promise<void>;
};

export type DeliveriesDeps = Pick<
  AppDeps,
  'config' | 'database' | 'log' | 'metrics' | 'clock' | 'newId'
>;

export type DeliveriesOptions = {
  readonly resolve?: Resolve;
  readonly ca?: string;
  readonly timing?: Partial<DeliveriesTiming>;
};

export type DeliveriesTiming = SendTiming & {
  readonly leaseMs: number;
  readonly renewIntervalMs: number;
  readonly stopGraceMs: number;
};

const TIMING: DeliveriesTiming = {
  ...SEND_TIMING,
  // What a process that was killed had claimed waits for so long; a busy one renews its claims in time.
  leaseMs: 10_000,
  renewIntervalMs: 3_000,
  /** A third of what the process has to stop. */
  stopGraceMs: 9_000,
};

/** A look is one question of a small index; with two of them a webhook leaves within a second. */
const LOOK_INTERVAL_MS = 250;
const RETRY_MS_MAX = 10_000;
/** For more results to come along, while the receivers are quick. */
const GATHER_MS = 10;
/** Of one statement. */
const SETTLED_MAX = 500;
/** For a secret that doesn't open: somebody has to mend the configuration first. */
const UNREADABLE_DELAY_MS = 60_000;

type Running = {
  readonly deps: DeliveriesDeps;
  readonly timing: DeliveriesTiming;
  readonly dispatcher: Dispatcher;
  readonly wanting: Bell;
  readonly settling: Bell;
  /** After which endpoint the next look begins. */
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
    // Receivers compare it with the time of day.
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
    // As often while it fails: a claim lasts for three tries.
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
        deps.log.warn({ reason: String(error) }, 'what became of some webhooks is not written');
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
      log.warn({ reason: (error as Error).message, failures }, 'webhooks wait');
    },
  });
}

async function fanOut({ deps, wanting }: Running): Promise<Repeated> {
  const { due, isMore } = await fanOutEvents(deps);
  if (due > 0) wanting.ring();
  return isMore ? 'again' : 'wait';
}

/** Claims what there is room for, then waits until there may be more of either. */
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
    // A disabled one may have a test waiting.
    const open = due.endpoints.filter(({ state }) =>
      cancelled.isMore ? state === 'ENABLED' : state !== null,
    );
    const allowances = dispatcher.allowances(open);
    const claimed =
      allowances.length === 0
        ? { deliveries: [], endpoints: new Map<string, ClaimedEndpoint>() }
        : await claimDeliveries(em, allowances, {
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
    if (endpoint !== undefined) deps.log.error({ endpointId }, 'a webhook secret does not open');
    dispatcher.putOff(own, endpoint === undefined ? 0 : UNREADABLE_DELAY_MS);
  }
}

async function settleOnce(running: Running, signal: AbortSignal): Promise<Repeated> {
  const { settling } = running;
  await settling.wait(RETRY_MS_MAX, signal);
  await new Promise(resolve => setTimeout(resolve, GATHER_MS));
  await settleAll(running).catch((error: unknown) => {
    // They are still there, and the next time is for them.
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
      deps.log.warn({ endpointId, reason }, 'a webhook endpoint is disabled');
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
