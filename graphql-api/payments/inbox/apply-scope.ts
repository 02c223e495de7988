import type { PostScope } from '../../partner/ledger/post.ts';

/** Of the one transaction in which a fact is applied. */
export type ApplyScope = PostScope & {
  /** Whose merchant account says so. Nothing of another account is looked at, let alone touched. */
  readonly accountId: string;
  /** Undefined where we asked. */
  readonly eventId?: string | undefined;
  /** The workspace that the gateway echoes; see `ownerOf` for what it is worth. */
  readonly echoedWorkspaceId?: string | undefined;
  /** Whom it is about, as the tenant knows them. */
  readonly customerId?: string | undefined;
};

export type Applied =
  | {
      readonly kind: 'applied';
      readonly workspaceId: string | null;
      readonly effects: readonly string[];
    }
  /** Nothing that we know (yet); with all the names by which it could become known. */
  | { readonly kind: 'unknown'; readonly awaited: readonly string[] };

/** Times as the states have them. */
export function msOf(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::bigint::text`;
}

export function readMs(text: string | null): number | undefined {
  return text === null ? undefined : Number(text);
}

export function isoOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

export function minorText(amountMinor: bigint | undefined): string | null {
  return amountMinor === undefined ? null : String(amountMinor);
}
