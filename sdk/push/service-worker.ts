// The service worker: shows push messages, reports the interactions with them, and opens their URLs. A site
// serves it as its worker, or imports it into its existing worker with importScripts. It does not control pages
// and does not cache anything.

import { openPushDatabase, type PushSettings } from './push-database.ts';
import { type ReportedMessage, readPushMessage, reportedMessageOf } from './push-message.ts';
import { createReportQueue } from './report-queue.ts';
import { FLUSH } from './worker-message.ts';
import type { WorkerScope } from './worker-scope.ts';

const SYNC_TAG = 'engagement-push-reports';

listen(globalThis as unknown as WorkerScope);

function listen(scope: WorkerScope): void {
  const { registration, location } = scope;
  // Opened once per life of the worker, which is short.
  let opened: ReturnType<typeof openPushDatabase> | undefined;
  const open = () => (opened ??= openPushDatabase());
  const queue = createReportQueue({
    open,
    fetch: (...request) => fetch(...request),
    wakeLater: async () => registration.sync?.register(SYNC_TAG).catch(() => undefined),
  });
  /** A report must never keep a notification from being shown or opened. */
  const report = (...report: Parameters<typeof queue.add>) =>
    queue.add(...report).catch(() => undefined);

  const flush = () => queue.flush();

  scope.addEventListener('push', event => {
    const newId = () => crypto.randomUUID();
    const message = readPushMessage(event.data?.text() ?? '', { origin: location.origin, newId });
    if (message === undefined) return;
    const reported = reportedMessageOf(message.options.data)!;
    const show = async () => {
      const delivered = report('push.delivered', reported);
      await registration.showNotification(message.title, message.options);
      await delivered;
      await report('push.shown', reported);
    };
    // Also if the message could not be shown: the delivery is still reported, and the browser receives the error.
    event.waitUntil(
      Promise.allSettled([show()]).then(async ([shown]) => {
        await flush();
        if (shown.status === 'rejected') throw shown.reason;
      }),
    );
  });
  scope.addEventListener('notificationclick', event => {
    const message = reportedMessageOf(event.notification.data);
    if (message === undefined) return;
    event.notification.close();
    const action = event.action ?? '';
    const url = message.urls[action] ?? message.url;
    const reported = report('push.clicked', message, clickOf(action, url));
    // Browsers let a worker open a window only right after the click, so nothing is awaited before.
    event.waitUntil(Promise.all([openWindow(scope, url), reported.then(flush)]));
  });
  scope.addEventListener('notificationclose', event => {
    const message = reportedMessageOf(event.notification.data);
    if (message !== undefined) event.waitUntil(report('push.dismissed', message).then(flush));
  });
  scope.addEventListener('pushsubscriptionchange', event => {
    event.waitUntil(resubscribe(scope, open, event.oldSubscription ?? undefined));
  });
  scope.addEventListener('sync', event => {
    if (event.tag === SYNC_TAG) event.waitUntil(flush());
  });
  scope.addEventListener('message', event => {
    if (event.data === FLUSH) event.waitUntil(flush());
  });
}

function clickOf(action: string, url: ReportedMessage['url']) {
  return {
    ...(action !== '' && { action_id: action }),
    ...(url !== undefined && { action_url: url }),
  };
}

/** Without a URL, a tab of the site is brought to the front, if there is one. */
async function openWindow({ clients }: WorkerScope, url: string | undefined): Promise<void> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = url === undefined ? windows[0] : windows.find(one => one.url === url);
  if (open !== undefined) await open.focus();
  else if (url !== undefined) await clients.openWindow(url);
}

/** The page passes on the new subscription when it is next open. */
async function resubscribe(
  { registration }: WorkerScope,
  open: () => ReturnType<typeof openPushDatabase>,
  old: PushSubscription | undefined,
): Promise<void> {
  const settings = await (await open()).read<PushSettings>('settings');
  const applicationServerKey = old?.options.applicationServerKey ?? settings?.vapidPublicKey;
  if (applicationServerKey === undefined) return;
  await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}
