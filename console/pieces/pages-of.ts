import type { TypedDocumentNode } from '@urql/core';
import type { Client, CombinedError } from 'urql';

export type Connection<Node> = {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

export type PagedVariables = { after?: string | null | undefined };

export type PagedList<Data, Variables, Node> = {
  /** Takes `after`. */
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly connectionOf: (data: Data) => Connection<Node> | null | undefined;
};

/** The pages of the list, each queried when it is asked for. Throws a `CombinedError` if one cannot be read. */
export async function* pagesOf<Data, Variables extends PagedVariables, Node>(
  client: Client,
  { document, connectionOf }: PagedList<Data, Variables, Node>,
  variables: Omit<Variables, 'after'>,
  from: string | null = null,
): AsyncGenerator<Connection<Node>> {
  let after = from;
  do {
    const page: Connection<Node> | null | undefined = connectionOf(
      await dataOf(client, document, { ...variables, after } as unknown as Variables),
    );
    if (!page) return;
    yield page;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
}

/** A long list can use up the workspace's points: then it waits as long as the API says. */
async function dataOf<Data, Variables extends PagedVariables>(
  client: Client,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  for (;;) {
    const answer = await client.query(document, variables as never, {
      requestPolicy: 'network-only',
    });
    if (answer.error === undefined) return answer.data!;
    const seconds = secondsToWait(answer.error);
    if (seconds === undefined) throw answer.error;
    await new Promise(resume => setTimeout(resume, seconds * 1_000));
  }
}

function secondsToWait({ graphQLErrors }: CombinedError): number | undefined {
  const { code, reason, retryAfterSeconds } = graphQLErrors[0]?.extensions ?? {};
  const isThrottled = (reason ?? code) === 'THROTTLED';
  return isThrottled && typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined;
}
