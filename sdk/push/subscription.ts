// The browser's side of a subscription.

/** The worker, once it can receive messages. */
export async function workerOf(url: string): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(url);
  const starting = registration.installing ?? registration.waiting;
  if (registration.active !== null || starting === null) return registration;
  return new Promise((resolve, reject) => {
    starting.addEventListener('statechange', () => {
      if (starting.state === 'activated') resolve(registration);
      if (starting.state === 'redundant') reject(new Error('The service worker did not start.'));
    });
  });
}

/** A subscription for another sender is replaced, because a browser has one subscription per worker. */
export async function subscriptionOf(
  { pushManager }: ServiceWorkerRegistration,
  vapidPublicKey: string,
): Promise<PushSubscription> {
  const known = await pushManager.getSubscription();
  if (known !== null) {
    if (isFor(known, vapidPublicKey)) return known;
    await known.unsubscribe();
  }
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidPublicKey });
}

function isFor({ options }: PushSubscription, vapidPublicKey: string): boolean {
  const key = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  const base64 = btoa(String.fromCharCode(...key)).replaceAll('=', '');
  return base64.replaceAll('+', '-').replaceAll('/', '_') === vapidPublicKey.replaceAll('=', '');
}
