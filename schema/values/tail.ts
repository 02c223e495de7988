// What ingest tells the control plane's live view of a watched workspace.

export type TailEntry = {
  readonly endpoint: string;
  readonly receivedAtMs: number;
  readonly keyId: string;
  /** Empty where there is none, as all that follow. */
  readonly type: string;
  /** An event's name; of a page or screen, its name. */
  readonly name: string;
  readonly messageId: string;
  readonly userId: string;
  readonly anonymousId: string;
  /** JSON as it was sent, from its beginning. */
  readonly text: string;
  /** Of the whole text, which may have more than is here. */
  readonly textBytes: number;
  /** Of a refused one; else undefined. */
  readonly refusal?: TailRefusal | undefined;
  /** Its place in its batch, from 0. */
  readonly index: number;
};

export type TailRefusal = { readonly code: string; readonly message: string };

export type TailCounts = {
  /** Duplicates count, as in the answer to their sender. */
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
};

/** The counts are those of all that came since the watch began. */
export type TailAnswer = TailCounts & {
  /** Where to go on; of another watch than that of the question, nothing is known of before. */
  readonly cursor: string;
  readonly isNew: boolean;
  /** Some of what was counted, the oldest first. */
  readonly entries: readonly TailEntry[];
};

export const TAIL_PATH = '/internal/tail';
