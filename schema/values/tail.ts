// Ingest's response to the control plane's live view of a workspace.

export type TailEntry = {
  readonly endpoint: string;
  readonly receivedAtMs: number;
  readonly keyId: string;
  /** Empty if the event has none. The same applies to the following strings. */
  readonly type: string;
  /** The name of the event, page or screen. */
  readonly name: string;
  readonly messageId: string;
  readonly userId: string;
  readonly anonymousId: string;
  /** The beginning of the JSON text, as sent. */
  readonly text: string;
  /** The size of the full JSON text. `text` may be truncated. */
  readonly textBytes: number;
  /** Set for a rejected event only. */
  readonly refusal?: TailRefusal | undefined;
  /** The position in the batch, starting at 0. */
  readonly index: number;
};

export type TailRefusal = { readonly code: string; readonly message: string };

export type TailCounts = {
  /** Includes duplicates, as does the response to the sender. */
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
};

/** The counts are totals since the watch started. */
export type TailAnswer = TailCounts & {
  /** The position to continue from. Valid only within the watch that returned it. */
  readonly cursor: string;
  /** Whether the requested cursor belongs to another watch, so that earlier events are unknown. */
  readonly isNew: boolean;
  /** Some of the counted events, oldest first. */
  readonly entries: readonly TailEntry[];
};

export const TAIL_PATH = '/internal/tail';
