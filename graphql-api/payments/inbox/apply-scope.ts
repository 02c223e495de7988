import type { PostScope } from '../../partner/ledger/post.ts';

/** The scope of the transaction in which a fact is applied. */
export type ApplyScope = PostScope & {
  /**
   * The merchant account that reported the fact. Objects of other accounts are never read or
   * changed.
   */
  readonly accountId: string;
  /** Undefined if the fact comes from a query. */
  readonly eventId?: string | undefined;
  /** The workspace echoed by the gateway. `ownerOf` defines when it is trusted. */
  readonly echoedWorkspaceId?: string | undefined;
  /** The tenant's own ID of the customer. */
  readonly customerId?: string | undefined;
};

export type Applied =
  | {
      readonly kind: 'applied';
      readonly workspaceId: string | null;
      readonly effects: readonly string[];
    }
  /** The object is not known yet. `awaited` lists the keys by which it can become known. */
  | { readonly kind: 'unknown'; readonly awaited: readonly string[] };
