// Reads a list with keyset pagination to its end, and checks each page.

import { expect } from 'vitest';
import type { Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { reportOf } from '../harness/report-rows.ts';

const api = useSharedApi();

export const PAGE = 'edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor }';
export const RANGE = { from: '2026-10-01T00:00:00Z', to: '2026-10-31T00:00:00Z' };
export const FROM_MS = Date.parse(RANGE.from);

/** All rows of a list, page by page. `between` runs before each further page. */
export async function allPages<T>(
  tenant: Tenant,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  between: () => Promise<void> = async () => undefined,
): Promise<T[]> {
  const seen: T[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < 100; pages++) {
    const page: Page<T> = await reportOf(api(), tenant, document, { ...variables, after });
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    expect(page.edges.at(-1)?.cursor ?? null).toBe(page.pageInfo.endCursor);
    expect(page.edges).toHaveLength(page.nodes.length);
    seen.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return seen;
    after = page.pageInfo.endCursor;
    await between();
  }
  throw new Error('the list has no end');
}

export type Page<T> = {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly endCursor: string | null;
  };
};
