import { useEffect, useState } from 'react';
import { CombinedError, createRequest, useClient } from 'urql';
import { keepCount, keptCount } from './kept-count.ts';
import { type Connection, type PagedList, type PagedVariables, pagesOf } from './pages-of.ts';

/** A refetch or the way back loads no more further pages than these: each takes a query after the other. */
const AGAIN_MAX = 10;

type Pages<Node> = {
  /** The items of the first page and of all pages loaded since, in order. */
  readonly nodes: readonly Node[];
  readonly page: Connection<Node>['pageInfo'];
  readonly isLoading: boolean;
  readonly error: CombinedError | undefined;
  readonly showMore: () => void;
};

/** How many further pages, of the list with the key. Another object for each press of "Show more". */
type Wanted = { readonly key: number; readonly count: number };

type Read<Node> = {
  readonly pages: readonly Connection<Node>[];
  readonly error?: CombinedError;
};

type Loaded<Node> = Read<Node> & { readonly of: Connection<Node>; readonly for: Wanted };

/**
 * The first page of a list is part of the view's query; further pages are queried with the same document and
 * `after`. When the first page is refetched, as many others are queried again, and until all are there the
 * list stays as it was, so that it never shows two states of the same object. The way back to the list loads
 * them as well (`keptCount`).
 */
export function usePages<Data, Variables extends PagedVariables, Node>(
  first: Connection<Node>,
  document: PagedList<Data, Variables, Node>['document'],
  variables: Omit<Variables, 'after'>,
  connectionOf: PagedList<Data, Variables, Node>['connectionOf'],
): Pages<Node> {
  const client = useClient();
  const { key } = createRequest(document, variables as Variables);
  const [wanted, setWanted] = useState<Wanted>(() => ({
    key,
    count: keptCount(document, variables),
  }));
  const [loaded, setLoaded] = useState<Loaded<Node>>();
  const isPaged = wanted.key === key && wanted.count > 0;
  const shown = isPaged && loaded?.for.key === key ? loaded : undefined;
  const pages = shown?.pages ?? [];
  useEffect(() => {
    if (!isPaged) return undefined;
    const before = shown?.of === first ? pages : [];
    const count = before.length === 0 ? Math.min(wanted.count, AGAIN_MAX) : wanted.count;
    const { hasNextPage, endCursor } = (before.at(-1) ?? first).pageInfo;
    const list = { document, connectionOf };
    const further = hasNextPage ? pagesOf(client, list, variables, endCursor) : [];
    const controller = new AbortController();
    const { signal } = controller;
    void readUpTo(count, before, further, signal).then(read => {
      if (!signal.aborted) setLoaded({ ...read, of: first, for: wanted });
    });
    return () => controller.abort();
  }, [first, wanted]);
  return {
    nodes: [shown?.of ?? first, ...pages].flatMap(page => page.nodes),
    page: (pages.at(-1) ?? shown?.of ?? first).pageInfo,
    isLoading: isPaged && !(shown?.of === first && shown.for === wanted),
    error: shown?.error,
    showMore: () => {
      const count = pages.length + 1;
      keepCount(document, variables, count);
      setWanted({ key, count });
    },
  };
}

async function readUpTo<Node>(
  count: number,
  before: readonly Connection<Node>[],
  further: AsyncIterable<Connection<Node>> | Iterable<Connection<Node>>,
  signal: AbortSignal,
): Promise<Read<Node>> {
  const pages = [...before];
  try {
    for await (const page of further) {
      pages.push(page);
      if (pages.length >= count || signal.aborted) break;
    }
    return { pages };
  } catch (error) {
    if (!(error instanceof CombinedError)) throw error;
    return { pages, error };
  }
}
