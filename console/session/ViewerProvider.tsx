import { createContext, type ReactNode, useContext } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../graph/graphql.ts';
import { Loading } from '../pieces/Loading.tsx';
import { ProblemPage } from '../pieces/ProblemPage.tsx';
import { useSignOut } from './use-sign-out.ts';

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

/** Queries the viewer once; the children are rendered only for an authenticated viewer. */
export function ViewerProvider({ children }: { readonly children: ReactNode }) {
  const [{ data, error, fetching }, ask] = useQuery({ query: VIEWER });
  const signOut = useSignOut();
  if (error !== undefined)
    return <ProblemPage error={error} onRetry={() => ask()} onSignOut={() => void signOut()} />;
  if (fetching || !data?.viewer) return <Loading label="Signing in" />;
  return <ViewerContext value={data.viewer}>{children}</ViewerContext>;
}

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (viewer === undefined) throw new Error('useViewer belongs below ViewerProvider');
  return viewer;
}

/** Actions that the API would refuse are hidden. Every role includes the permissions of members. */
export function useMay(role: Role): boolean {
  const { roles } = useViewer();
  return role === 'MEMBER' ? roles.length > 0 : roles.includes(role);
}
