import type { TypedDocumentNode } from '@urql/core';
import { useState } from 'react';
import { type CombinedError, useClient } from 'urql';

export type Connection<Node> = {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

type Pages<Node> = {
  /** The items of the first page and of all pages loaded since, in order. */
  readonly nodes: readonly Node[];
  readonly page: Connection<Node>['pageInfo'];
  readonly isLoading: boolean;
  readonly error: CombinedError | undefined;
  readonly showMore: (after: string) => void;
};

/**
 * The first page of a list is part of the view's query; further pages are queried with the same
 * document and `after`. When the first page is refetched, the others are discarded, so that a list
 * never shows two states of the same object.
 */
export function usePages<Data, Variables extends { after?: string | null | undefined }, Node>(
  first: Connection<Node>,
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  connectionOf: (data: Data) => Connection<Node> | null | undefined,
): Pages<Node> {
  const client = useClient();
  const [more, setMore] = useState<{ of: Connection<Node>; pages: Connection<Node>[] }>();
  const [isLoading, setIsLoading] = useState(false);
  const [error, setError] = useState<CombinedError>();
  const pages = more?.of === first ? more.pages : [];
  const showMore = async (after: string) => {
    setIsLoading(true);
    const asked = { ...variables, after } as unknown as Variables;
    const answer = await client.query(document, asked as never, { requestPolicy: 'network-only' });
    setIsLoading(false);
    setError(answer.error);
    const page = answer.data && connectionOf(answer.data);
    if (page) setMore({ of: first, pages: [...pages, page] });
  };
  return {
    nodes: [first, ...pages].flatMap(page => page.nodes),
    page: (pages.at(-1) ?? first).pageInfo,
    isLoading,
    error,
    showMore: after => void showMore(after),
  };
}
