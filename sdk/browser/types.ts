import type { Identity } from '../core/client-host.ts';
import type { Device, DeviceReason } from '../core/device.ts';
import type { Properties } from '../core/event.ts';
import type { OnProblem } from '../core/problem.ts';
import type { InApp, InAppOptions } from '../in-app/main.ts';
import type { Push, PushOptions } from '../push/main.ts';

export type ClientOptions = {
  /** Of an SDK key; not a secret. */
  readonly writeKey: string;
  /** The address of the service, such as `https://events.example.com`. */
  readonly host: string;
  /** Nothing is stored or sent before `setConsent(true)`. */
  readonly consentRequired?: boolean;
};

/** `pending`: the person has not been asked, or has not answered. */
export type Consent = 'granted' | 'denied' | 'pending';

export type Client = {
  /** Something that the person did. */
  track(event: string, properties?: Properties): void;
  /** Who the person is: the application's own ID, which all later events have. */
  identify(userId: string, traits?: Properties): void;
  /** A page that the person sees; its address, title and referrer are added. */
  page(name?: string, properties?: Properties): void;
  /** The same for a screen of an app. */
  screen(name?: string, properties?: Properties): void;
  /** The group, such as a company, that the person belongs to. */
  group(groupId: string, traits?: Properties): void;
  /** The person was known by another ID: without `previousId`, the one that is in use. */
  alias(userId: string, previousId?: string): void;
  /** The push token of the app that shows this page. */
  registerDevice(device: Device): void;
  deactivateDevice(device: Device & DeviceReason): void;
  /** The person's answer, which is stored. A denial deletes all that is stored or waits. */
  setConsent(isGranted: boolean): void;
  readonly consent: Consent;
  /** The person has signed out: the next call is someone else's, with new IDs. */
  reset(): void;
  identity(): Identity;
  /** Sends what waits. Resolves when nothing does, which takes as long as the page is offline. */
  flush(): Promise<void>;
  /** Replaces the listener, which is at first a warning in the console. */
  onProblem(listener: OnProblem): void;
  /** Loads the in-app messages, once. */
  inApp(options?: InAppOptions): Promise<InApp>;
  /** Loads web push, once. */
  push(options: Omit<PushOptions, 'host' | 'writeKey'>): Promise<Push>;
};
