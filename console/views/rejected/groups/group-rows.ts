// Groups rejected events by reason, event, key and SDK version.

import type { RejectedRow } from '../rejected-query.ts';

export type Group = {
  readonly code: string;
  /** As in the URL: empty if unknown. The same applies to the following strings. */
  readonly event: string;
  readonly key: string;
  readonly sdk: string;
  /** The newest first. */
  readonly rows: readonly RejectedRow[];
};

/** The largest group first. */
export function groupRows(rows: readonly RejectedRow[]): Group[] {
  const groups = Map.groupBy(rows, row => JSON.stringify(identityOf(row)));
  return [...groups.values()]
    .map(members => ({ ...identityOf(members[0]!), rows: members }))
    .toSorted((one, other) => other.rows.length - one.rows.length);
}

function identityOf({ sent, sdk }: RejectedRow): Omit<Group, 'rows'> {
  return {
    code: sent.refusal.code,
    event: sent.name ?? sent.type ?? '',
    key: sent.sdkKeyId ?? '',
    sdk: sdk ?? '',
  };
}
