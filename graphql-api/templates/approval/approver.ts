// The client interface of a channel's approver. It makes no decisions: each call returns a result
// or a fault. Email has no such approver, because people review it.

import type { TemplateChannel, TemplateContent } from '../content.ts';
import type { TemplateVariable } from '../variables.ts';

export type Submittable = TemplateContent & {
  readonly submissionId: string;
  /** Our unique name for the submission at the approver. */
  readonly name: string;
  readonly language: string;
  readonly variables: readonly TemplateVariable[];
};

/** The current state of a template at the approver. */
export type UpstreamTemplate = {
  readonly upstreamId: string;
  readonly name: string;
  /** The status as the approver sent it. */
  readonly status: string;
  readonly reason: string | null;
};

export type UpstreamPage = {
  readonly items: readonly UpstreamTemplate[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
};

export type ApprovalFault = {
  /**
   * REFUSED: the approver rejected the content. DENIED: it rejected our credentials. BUSY: too many
   * calls. AWAY: it could not be reached. After these the call had no effect. UNKNOWN: the call may
   * have had an effect.
   */
  readonly kind: 'REFUSED' | 'DENIED' | 'BUSY' | 'AWAY' | 'UNKNOWN';
  readonly code: string;
  readonly message: string;
};

export type ApprovalAnswer<T> =
  | { readonly isOk: true; readonly value: T }
  | { readonly isOk: false; readonly fault: ApprovalFault };

/** No method throws because of a fault of the approver or the network. */
export type Approver = {
  readonly channel: TemplateChannel;
  submit(template: Submittable): Promise<ApprovalAnswer<UpstreamTemplate>>;
  /** The value is undefined if no template has this name. */
  find(name: string): Promise<ApprovalAnswer<UpstreamTemplate | undefined>>;
  list(after: string | undefined): Promise<ApprovalAnswer<UpstreamPage>>;
  /** Also succeeds if no template has this name. */
  withdraw(name: string, upstreamId: string | null): Promise<ApprovalAnswer<undefined>>;
};
