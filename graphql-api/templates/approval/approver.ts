// What a channel's approver can be asked for. Nothing here decides anything: one question out, its
// answer or fault in. Email has none: people review it.

import type { TemplateChannel, TemplateContent } from '../content.ts';
import type { TemplateVariable } from '../variables.ts';

export type Submittable = TemplateContent & {
  readonly submissionId: string;
  /** Ours, for the approver; no two submissions share one. */
  readonly name: string;
  readonly language: string;
  readonly variables: readonly TemplateVariable[];
};

/** A template as the approver has it now. */
export type UpstreamTemplate = {
  readonly upstreamId: string;
  readonly name: string;
  /** The approver's own word. */
  readonly status: string;
  readonly reason: string | null;
};

export type UpstreamPage = {
  readonly items: readonly UpstreamTemplate[];
  /** Undefined at the end. */
  readonly next: string | undefined;
};

export type ApprovalFault = {
  /**
   * REFUSED: it said no to this text. DENIED: it doesn't take our credentials. BUSY: too many calls;
   * AWAY: it wasn't reached. With these nothing happened. UNKNOWN: it may have happened.
   */
  readonly kind: 'REFUSED' | 'DENIED' | 'BUSY' | 'AWAY' | 'UNKNOWN';
  readonly code: string;
  readonly message: string;
};

export type ApprovalAnswer<T> =
  | { readonly isOk: true; readonly value: T }
  | { readonly isOk: false; readonly fault: ApprovalFault };

/** None of these ever throws for what the approver or the network does. */
export type Approver = {
  readonly channel: TemplateChannel;
  submit(template: Submittable): Promise<ApprovalAnswer<UpstreamTemplate>>;
  /** Undefined where it has none of that name. */
  find(name: string): Promise<ApprovalAnswer<UpstreamTemplate | undefined>>;
  list(after: string | undefined): Promise<ApprovalAnswer<UpstreamPage>>;
  /** Fine, too, where it has none of that name. */
  withdraw(name: string, upstreamId: string | null): Promise<ApprovalAnswer<undefined>>;
};
