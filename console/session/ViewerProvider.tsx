import { createContext, type ReactNode, useContext } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../graph/graphql.ts';
import { Loading } from '../pieces/Loading.tsx';
import { ProblemPage } from '../pieces/ProblemPage.tsx';
import { useSession } from './SessionProvider.tsx';

const VIEWER = graphql(`
  query Viewer {
    viewer {
      userId
      roles
      organization { id name }
      workspace { id name }
    }
  }
`);

export type Viewer = NonNullable<ResultOf<typeof VIEWER>['viewer']>;
export type Role = Viewer['roles'][number];

const ViewerContext = createContext<Viewer | undefined>(undefined);

/** Asks once who looks; what is below is only there for somebody whom the API knows. */
export function ViewerProvider({ children }: { readonly children: ReactNode }) {
  const [{ data, error, fetching }, ask] = useQuery({ query: VIEWER });
  const { signOut } = useSession();
  if (error !== undefined)
    return <ProblemPage error={error} onRetry={() => ask()} onSignOut={signOut} />;
  if (fetching || !data?.viewer) return <Loading label="Signing in" />;
  return <ViewerContext value={data.viewer}>{children}</ViewerContext>;
}

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (viewer === undefined) throw new Error('useViewer belongs below ViewerProvider');
  return viewer;
}

/** What the API would refuse need not be offered. Whoever has a role may what members may. */
export function useMay(role: Role): boolean {
  const { roles } = useViewer();
  return role === 'MEMBER' ? roles.length > 0 : roles.includes(role);
}
