// Chromium without a window has no push service, denies notifications and opens no windows, so these
// few functions of the browser are replaced. Everything else is the browser's own: the worker, its
// life cycle, the delivery of push and sync events, IndexedDB and fetch.

/** In the page. A subscription lasts for the tab. */
export const IN_PAGE = `(() => {
  Object.defineProperty(Notification, 'permission', { get: () => sessionStorage.permission ?? 'default' });
  Notification.requestPermission = async () =>
    (sessionStorage.permission ??= sessionStorage.answer ?? 'granted');
  const current = () => sessionStorage.endpoint && {
    endpoint: sessionStorage.endpoint,
    options: { applicationServerKey: Uint8Array.fromBase64(sessionStorage.serverKey, { alphabet: 'base64url' }).buffer },
    toJSON: () => ({ endpoint: sessionStorage.endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => delete sessionStorage.endpoint,
  };
  PushManager.prototype.getSubscription = async () => current() || null;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    sessionStorage.serverKey = applicationServerKey;
    sessionStorage.endpoint = 'https://push.example/' + crypto.randomUUID();
    return current();
  };
})()`;

/** In the worker. A click is an event that only the browser may create. */
export const IN_WORKER = `(() => {
  self.shown = [];
  self.opened = [];
  registration.showNotification = async (title, options) => { shown.push({ title, options }); };
  self.focused = [];
  clients.openWindow = async url => { opened.push(url); };
  WindowClient.prototype.focus = async function () { focused.push(this.url); };
  self.use = (type, notification, action = '') => new Promise((resolve, reject) => {
    const event = new ExtendableEvent(type);
    let work = Promise.resolve();
    Object.defineProperties(event, {
      action: { value: action },
      notification: { value: { close() {}, ...notification } },
      waitUntil: { value: promise => { work = promise; } },
    });
    dispatchEvent(event);
    work.then(resolve, reject);
  });
})()`;
