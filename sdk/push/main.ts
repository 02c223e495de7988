// Push messages: subscribes this browser through its service worker, passes the subscription to the
// app, and sends the person's identity to the worker. Loaded by the client when it is first used.

import type { ClientHost } from '../core/client-host.ts';
import { openPushDatabase, type PushDatabase } from './push-database.ts';
import { subscriptionOf, workerOf } from './subscription.ts';
import { FLUSH } from './worker-message.ts';

export type PushOptions = {
  /** The address of the service, for the reports of the worker, as in the options of the client. */
  readonly host: string;
  readonly writeKey: string;
  readonly propertyId: string;
  /** The public key of the sender, as base64url. Needed by `subscribe`. */
  readonly vapidPublicKey?: string;
  /** The URL at which the site serves the worker. It also limits the pages that the worker can control. */
  readonly serviceWorkerUrl?: string;
  /**
   * Called with each new subscription, which the app passes to its sender, and with null when the subscription
   * has ended. Called again at the next start if it throws or rejects.
   */
  readonly onSubscription?: (subscription: PushSubscriptionJSON | null) => unknown;
  /** Called with each error. By default, a warning is logged to the console. */
  readonly onError?: (error: PushError) => void;
};

export type PushError = {
  readonly code:
    | 'NO_VAPID_KEY'
    | 'SUBSCRIBE_FAILED'
    | 'UNSUBSCRIBE_FAILED'
    | 'HANDOVER_FAILED'
    | 'REFRESH_FAILED';
  readonly message: string;
  readonly cause?: unknown;
};

/** `denied`: only the person can change this, in the settings of the browser. */
export type PushState = 'unsupported' | 'denied' | 'unsubscribed' | 'subscribed';

export type Push = {
  state(): Promise<PushState>;
  /**
   * Asks for permission if necessary. Call it in the handler of the click with which the person requests
   * messages.
   */
  subscribe(): Promise<PushState>;
  unsubscribe(): Promise<void>;
  /** Sends the person's identity and consent to the worker. Call it when one of them has changed. */
  refresh(): Promise<void>;
};

const WORKER_URL = '/push-service-worker.js';

export function startPush(host: ClientHost, options: PushOptions): Push {
  const onError = options.onError ?? (error => console.warn('[push]', error));
  const workerUrl = options.serviceWorkerUrl ?? WORKER_URL;
  // One after the other, because two calls must not pass on the same subscription.
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const context = { host, options, workerUrl, onError };
  const push: Push = {
    state,
    subscribe: () => inOrder(() => subscribe(context)),
    unsubscribe: () => inOrder(() => attempt(context, 'UNSUBSCRIBE_FAILED', unsubscribe)),
    refresh: () => inOrder(() => attempt(context, 'REFRESH_FAILED', refresh)),
  };
  void push.refresh();
  return push;

  async function state(): Promise<PushState> {
    if (!isSupported()) return 'unsupported';
    if (Notification.permission === 'denied') return 'denied';
    const registration = await navigator.serviceWorker.getRegistration(workerUrl);
    const subscription = await registration?.pushManager.getSubscription();
    return subscription ? 'subscribed' : 'unsubscribed';
  }
}

type Context = {
  readonly host: ClientHost;
  readonly options: PushOptions;
  readonly workerUrl: string;
  readonly onError: (error: PushError) => void;
};

async function subscribe(context: Context): Promise<PushState> {
  const { options, workerUrl, onError } = context;
  const { vapidPublicKey } = options;
  if (!isSupported()) return 'unsupported';
  if (vapidPublicKey === undefined) {
    onError({ code: 'NO_VAPID_KEY', message: 'subscribe requires the option vapidPublicKey.' });
    return 'unsubscribed';
  }
  const wasAsked = Notification.permission === 'default';
  const permission = await Notification.requestPermission();
  // If the person closed the prompt without a decision, the permission is unchanged.
  if (permission === 'denied' && wasAsked) reportEngagement(context, 'push.permission_denied');
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'unsubscribed';
  try {
    const worker = await workerOf(workerUrl);
    const subscription = await subscriptionOf(worker, vapidPublicKey);
    await withDatabase(async database => {
      await saveSettings(database, context);
      await handOver(context, database, subscription);
    });
    return 'subscribed';
  } catch (cause) {
    onError({ code: 'SUBSCRIBE_FAILED', message: 'The browser could not subscribe.', cause });
    return 'unsubscribed';
  }
}

async function unsubscribe(context: Context): Promise<void> {
  if (!isSupported()) return;
  const registration = await navigator.serviceWorker.getRegistration(context.workerUrl);
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
  await withDatabase(async database => {
    if ((await database.read('subscription')) === undefined) return;
    if (await tellApp(context, null)) await database.remove('subscription');
  });
}

/** Does nothing in a browser that is not subscribed. */
async function refresh(context: Context): Promise<void> {
  if (!isSupported()) return;
  await withDatabase(async database => {
    if ((await database.read('subscription')) === undefined) return;
    await saveSettings(database, context);
    // Also fetches a newer worker.
    const registration = await workerOf(context.workerUrl);
    const subscription = await registration.pushManager.getSubscription();
    if (subscription !== null) await handOver(context, database, subscription);
    else if (await tellApp(context, null)) await database.remove('subscription');
    registration.active?.postMessage(FLUSH);
  });
}

/** Called once per subscription. The browser may have replaced the subscription since the last time. */
async function handOver(
  context: Context,
  database: PushDatabase,
  subscription: PushSubscription,
): Promise<void> {
  const id = await idOf(subscription.endpoint);
  const knownId = await database.read<string>('subscription');
  if (knownId === id) return;
  const eventType = knownId === undefined ? 'push.subscribed' : 'push.resubscribed';
  reportEngagement(context, eventType, id);
  if (await tellApp(context, subscription.toJSON())) await database.write('subscription', id);
}

async function tellApp(
  { options, onError }: Context,
  subscription: PushSubscriptionJSON | null,
): Promise<boolean> {
  try {
    await options.onSubscription?.(subscription);
    return true;
  } catch (cause) {
    onError({ code: 'HANDOVER_FAILED', message: 'onSubscription failed.', cause });
    return false;
  }
}

/**
 * The ID of a subscription is sent as the message ID, so that repeated reports on it count once. The
 * subscription itself is not sent: it addresses the person, and reports are for analysts.
 */
function reportEngagement(
  { host, options }: Context,
  eventType: 'push.subscribed' | 'push.resubscribed' | 'push.permission_denied',
  messageId?: string,
): void {
  const { userId, anonymousId } = host.identity();
  host.report('/v1/push/engagement', {
    event_type: eventType,
    platform: 'web',
    property_id: options.propertyId,
    anonymous_id: anonymousId,
    message_id: messageId ?? crypto.randomUUID(),
    ...(userId !== undefined && { user_id: userId }),
  });
}

async function saveSettings(database: PushDatabase, { host, options }: Context): Promise<void> {
  const { host: address, writeKey, propertyId, vapidPublicKey = '' } = options;
  await database.write('settings', {
    host: address.replace(/\/+$/, ''),
    writeKey,
    propertyId,
    vapidPublicKey,
    ...(host.hasConsent() && { person: personOf(host) }),
  });
}

function personOf(host: ClientHost) {
  const { userId, anonymousId } = host.identity();
  return { anonymousId, ...(userId !== undefined && { userId }) };
}

/** Private windows may deny workers or storage; that must not stop the app. */
async function attempt(
  context: Context,
  code: PushError['code'],
  work: (context: Context) => Promise<void>,
): Promise<void> {
  try {
    await work(context);
  } catch (cause) {
    context.onError({ code, message: 'The browser refused the worker or its storage.', cause });
  }
}

async function withDatabase(work: (database: PushDatabase) => Promise<void>): Promise<void> {
  const database = await openPushDatabase();
  try {
    await work(database);
  } finally {
    database.close();
  }
}

const ID_BYTES = 16;

async function idOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  const bytes = [...new Uint8Array(digest, 0, ID_BYTES)];
  return bytes.map(byte => byte.toString(16).padStart(2, '0')).join('');
}

function isSupported(): boolean {
  return (
    'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  );
}
