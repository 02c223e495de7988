import type { Device, DeviceReason } from '../core/device.ts';
import type { Properties } from '../core/event.ts';
import type { OnProblem } from '../core/problem.ts';

export type NodeClientOptions = {
  /** The write key of an SDK key. It is not a secret. */
  readonly writeKey: string;
  /** The address of the service, such as `https://events.example.com`. */
  readonly host: string;
  /** Called for lost and rejected events. Without it, a warning is printed. */
  readonly onProblem?: OnProblem;
};

/** The person of an event, identified by at least one of the two IDs. */
export type Person =
  | { readonly userId: string; readonly anonymousId?: string }
  | { readonly userId?: string; readonly anonymousId: string };

export type EventOptions = Person & {
  /** Defaults to the ID of the person and the UTC day. */
  readonly sessionId?: string;
  /** When the event occurred. Defaults to now. */
  readonly timestamp?: Date;
  /** Events with the same ID and timestamp are stored once. */
  readonly messageId?: string;
  readonly context?: Properties;
};

export type NodeClient = {
  track(event: EventOptions & { readonly event: string; readonly properties?: Properties }): void;
  identify(event: EventOptions & { readonly userId: string; readonly traits?: Properties }): void;
  page(event: EventOptions & { readonly name?: string; readonly properties?: Properties }): void;
  screen(event: EventOptions & { readonly name?: string; readonly properties?: Properties }): void;
  group(event: EventOptions & { readonly groupId: string; readonly traits?: Properties }): void;
  alias(event: EventOptions & { readonly userId: string; readonly previousId: string }): void;
  registerDevice(
    device: Device & { readonly contactId?: string; readonly anonymousId?: string },
  ): void;
  deactivateDevice(device: Device & DeviceReason): void;
  /** The number of waiting events. Above 10,000, further events are dropped. */
  readonly waiting: number;
  /** Sends all waiting events. Resolves when none is waiting, or when the client has stopped sending. */
  flush(): Promise<void>;
  /** Sends all waiting events for at most `timeoutMs` (10 s), then stops sending. */
  close(timeoutMs?: number): Promise<void>;
};
