import type { Device, DeviceReason } from '../core/device.ts';
import type { Properties } from '../core/event.ts';
import type { OnProblem } from '../core/problem.ts';

export type NodeClientOptions = {
  /** Of an SDK key; not a secret. */
  readonly writeKey: string;
  /** The address of the service, such as `https://events.example.com`. */
  readonly host: string;
  /** Called for what is lost or refused; without it, a warning is printed. */
  readonly onProblem?: OnProblem;
};

/** Whose event it is: at least one of both IDs. */
export type Person =
  | { readonly userId: string; readonly anonymousId?: string }
  | { readonly userId?: string; readonly anonymousId: string };

export type EventOptions = Person & {
  /** Without one, an ID of the person and the UTC day. */
  readonly sessionId?: string;
  /** When it happened; now, if it is left out. */
  readonly timestamp?: Date;
  /** The same ID and timestamp are the same event. */
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
  /** How many events are waiting; above 10,000, further ones are dropped. */
  readonly waiting: number;
  /** Sends what waits. Resolves when nothing does, or when nothing more will be sent. */
  flush(): Promise<void>;
  /** Sends what waits, for at most `timeoutMs` (10 s), and then nothing more. */
  close(timeoutMs?: number): Promise<void>;
};
