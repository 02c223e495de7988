// The messages between threads about Postgres. The worker threads have no connections of their own: the
// main thread reads and writes for them, so a node has few connections with any number of threads.

import type { PersonQuestion } from '../schema/campaign/read-person.ts';
import type { AckedWidget, WidgetAck } from './accept/ack-widget.ts';
import type { DeviceChange } from './accept/change-devices.ts';
import type { InboxEvent } from './gateway/store-events.ts';
import type { Rows, Statement } from './postgres/statement.ts';

/** What a thread sends, and the result that it receives once the transaction has committed. */
export type ItemKinds = {
  /** Registrations and deactivations in one queue, so that those of one token keep their order. */
  readonly devices: Kind<DeviceChange, undefined>;
  readonly 'widget acks': Kind<WidgetAck, AckedWidget | undefined>;
  /** Whether the event is new. */
  readonly 'gateway events': Kind<InboxEvent, boolean>;
  /** For `parsePerson`. */
  readonly 'read-persons': Kind<PersonQuestion, string | undefined>;
  readonly outbox: Kind<Statement, Rows<Record<string, unknown>>>;
};

type Kind<Item, Result> = { readonly item: Item; readonly result: Result };

export type ItemKind = keyof ItemKinds;
/** The kinds of requests. The items of all threads are grouped into few statements. */
export type GroupedKind = Exclude<ItemKind, 'outbox'>;
export type ItemOf<K extends ItemKind> = ItemKinds[K]['item'];
export type ResultOf<K extends ItemKind> = ItemKinds[K]['result'];

export type AskedItem = {
  [K in ItemKind]: {
    /** Unique in its thread. */
    readonly ask: number;
    readonly kind: K;
    readonly item: ItemOf<K>;
  };
}[ItemKind];

export type ItemOutcome = { readonly ask: number } & (
  | { readonly result: ResultOf<ItemKind> }
  | { readonly error: DatabaseFault }
  /** Postgres did not respond, or too many items are waiting; the outcome is not known. */
  | { readonly unavailable: string }
);

/** The properties of a pg.DatabaseError that ingest uses. */
export type DatabaseFault = {
  readonly message: string;
  readonly code: string | undefined;
  readonly detail: string | undefined;
};
