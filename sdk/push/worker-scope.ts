// The parts of a service worker's global object that are used here. TypeScript has either the types
// of pages or those of workers, and the page shares files with the worker.

type Waiting = Event & { waitUntil(work: Promise<unknown>): void };

export type PushArrived = Waiting & { readonly data: { text(): string } | null };
export type NotificationUsed = Waiting & {
  readonly notification: Pick<Notification, 'data' | 'close'>;
  readonly action?: string;
};
export type SubscriptionChanged = Waiting & { readonly oldSubscription?: PushSubscription | null };
export type SyncDue = Waiting & { readonly tag: string };
export type MessageReceived = Waiting & { readonly data: unknown };

type Window = { readonly url: string; focus(): Promise<unknown> };

type Listen = {
  (type: 'push', listener: (event: PushArrived) => void): void;
  (
    type: 'notificationclick' | 'notificationclose',
    listener: (event: NotificationUsed) => void,
  ): void;
  (type: 'pushsubscriptionchange', listener: (event: SubscriptionChanged) => void): void;
  (type: 'sync', listener: (event: SyncDue) => void): void;
  (type: 'message', listener: (event: MessageReceived) => void): void;
};

export type WorkerScope = {
  readonly addEventListener: Listen;
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration & {
    /** Only in Chromium. */
    readonly sync?: { register(tag: string): Promise<void> };
  };
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
};
