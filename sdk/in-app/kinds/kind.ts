// A kind of campaign: its place and its content.

import type { ActiveCampaign } from '../campaign.ts';
import type { TellFault } from '../faults.ts';
import type { Feedback } from '../feedback.ts';
import type { Content } from '../read-content.ts';
import type { Words } from '../words.ts';

/** One message at a time is shown at each place. */
export type Place = 'top' | 'bottom' | 'dialog' | 'anchor';

export type Kind = {
  readonly place: Place;
  /** Covers the whole window; only for dialogs. */
  readonly isWhole?: boolean;
  /** The part below title, text and picture. Undefined if the content lacks what the kind needs. */
  readonly build: (content: Content, tools: Tools) => readonly (Node | undefined)[] | undefined;
};

/** The functions of the message that a kind uses. */
export type Tools = {
  readonly campaign: ActiveCampaign;
  readonly feedback: Feedback;
  readonly words: Words;
  readonly tellFault: TellFault;
  /** Aborted when the message is removed. */
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** Removes the message. */
  readonly close: () => void;
  /** Replaces the content with a text, which is announced. */
  readonly thank: (text: string) => void;
};
