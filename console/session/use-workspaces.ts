import { useMemo } from 'react';
import { useQuery } from 'urql';
import { fetchAs } from '../graph/client.ts';
import { graphql } from '../graph/graphql.ts';
import { useSession } from './SessionProvider.tsx';
import { useViewer } from './ViewerProvider.tsx';

const WORKSPACES = graphql(`
  query Workspaces {
    viewer { organization { id workspaces(first: 100) { nodes { id name } } } }
  }
`);

type Workspace = { readonly id: string; readonly name: string };

type Workspaces = {
  readonly workspaces: readonly Workspace[];
  readonly isAsking: boolean;
  readonly choose: (workspaceId: string) => void;
  /** Other users can create workspaces too. */
  readonly refetch: () => void;
};

/** The organization's, as many as the token may choose from. */
export function useWorkspaces(): Workspaces {
  const { current, signIn } = useSession();
  const { workspace } = useViewer();
  // Queried without a workspace: with one, the API returns only that workspace.
  const context = useMemo(
    () => ({ fetch: fetchAs(async () => ({ token: (await current()).token })) }),
    [current],
  );
  const [{ data, fetching }, ask] = useQuery({ query: WORKSPACES, context });
  const listed = data?.viewer?.organization?.workspaces.nodes ?? [];
  return {
    workspaces: workspace === null ? listed : withShown(listed, workspace),
    isAsking: fetching && data === undefined,
    choose: workspaceId => void current().then(session => signIn({ ...session, workspaceId })),
    refetch: () => ask({ requestPolicy: 'network-only' }),
  };
}

/** The API notices the second workspace of an organization only after some seconds, and lists the newest first. */
function withShown(listed: readonly Workspace[], shown: Workspace): readonly Workspace[] {
  return listed.some(({ id }) => id === shown.id) ? listed : [shown, ...listed];
}
