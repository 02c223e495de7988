import type { Identity } from '../core/client-host.ts';
import type { Device, DeviceReason } from '../core/device.ts';
import type { Properties } from '../core/event.ts';
import type { OnProblem } from '../core/problem.ts';
import type { InApp, InAppOptions } from '../in-app/main.ts';
import type { Push, PushOptions } from '../push/main.ts';

export type ClientOptions = {
  /** The write key of an SDK key. It is not a secret. */
  readonly writeKey: string;
  /** The address of the service, such as `https://events.example.com`. */
  readonly host: string;
  /** Nothing is stored or sent before `setConsent(true)`. */
  readonly consentRequired?: boolean;
};

/** `pending`: the person has not been asked, or has not decided. */
export type Consent = 'granted' | 'denied' | 'pending';

export type Client = {
  /** Records an action of the person. */
  track(event: string, properties?: Properties): void;
  /** Identifies the person by the application's own ID, which all later events contain. */
  identify(userId: string, traits?: Properties): void;
  /** Records a page view. The URL, title and referrer of the page are added. */
  page(name?: string, properties?: Properties): void;
  /** Records a view of a screen of an app. */
  screen(name?: string, properties?: Properties): void;
  /** Records the group, such as a company, that the person belongs to. */
  group(groupId: string, traits?: Properties): void;
  /** Records another ID of the person. `previousId` defaults to the current ID. */
  alias(userId: string, previousId?: string): void;
  /** Registers the push token of the app that shows this page. */
  registerDevice(device: Device): void;
  deactivateDevice(device: Device & DeviceReason): void;
  /** Stores the person's decision. If it is false, all stored and waiting data is deleted. */
  setConsent(isGranted: boolean): void;
  readonly consent: Consent;
  /** Call this when the person signs out. Later calls belong to another person, with new IDs. */
  reset(): void;
  identity(): Identity;
  /** Sends all waiting events. Resolves when none is waiting, and so not while the page is offline. */
  flush(): Promise<void>;
  /** Replaces the listener. The default one logs a warning to the console. */
  onProblem(listener: OnProblem): void;
  /** Loads and starts in-app messages, once. */
  inApp(options?: InAppOptions): Promise<InApp>;
  /** Loads and starts web push, once. */
  push(options: Omit<PushOptions, 'host' | 'writeKey'>): Promise<Push>;
};
