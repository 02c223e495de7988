import { useMemo } from 'react';
import { useQuery } from 'urql';
import { fetchAs } from '../graph/client.ts';
import { graphql } from '../graph/graphql.ts';
import { useSession } from './SessionProvider.tsx';

const WORKSPACES = graphql(`
  query Workspaces {
    viewer { organization { id workspaces(first: 100) { nodes { id name } } } }
  }
`);

type Workspaces = {
  readonly workspaces: readonly { readonly id: string; readonly name: string }[];
  readonly isAsking: boolean;
  readonly choose: (workspaceId: string) => void;
};

/** The organization's, as many as the token may choose from. */
export function useWorkspaces(): Workspaces {
  const { current, signIn } = useSession();
  // Queried without a workspace: with one, the API returns only that workspace.
  const context = useMemo(
    () => ({ fetch: fetchAs(async () => ({ token: (await current()).token })) }),
    [current],
  );
  const [{ data, fetching }] = useQuery({ query: WORKSPACES, context });
  return {
    workspaces: data?.viewer?.organization?.workspaces.nodes ?? [],
    isAsking: fetching,
    choose: workspaceId => void current().then(session => signIn({ ...session, workspaceId })),
  };
}
