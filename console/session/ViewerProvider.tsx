import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { type CombinedError, useQuery } from 'urql';
import { graphql, type ResultOf } from '../graph/graphql.ts';
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

type ViewerProviderProps = {
  readonly loading: ReactNode;
  readonly problem: (error: CombinedError, onRetry: () => void) => ReactNode;
  readonly children: ReactNode;
};

/**
 * Queries the viewer once; the children are rendered only for an authenticated viewer. The session keeps the
 * workspace of the answer, even when the organization later gets a second one.
 */
export function ViewerProvider({ loading, problem, children }: ViewerProviderProps) {
  const [{ data, error, fetching }, ask] = useQuery({ query: VIEWER });
  const { stayIn, leaveWorkspace } = useSession();
  const workspaceId = data?.viewer?.workspace?.id;
  useEffect(() => {
    if (workspaceId !== undefined) stayIn(workspaceId);
  }, [workspaceId, stayIn]);
  const isElsewhere = error?.graphQLErrors.some(isOtherWorkspace) ?? false;
  useEffect(() => {
    if (isElsewhere) leaveWorkspace();
  }, [isElsewhere, leaveWorkspace]);
  if (error !== undefined) return problem(error, () => ask());
  if (fetching || !data?.viewer) return loading;
  return <ViewerContext value={data.viewer}>{children}</ViewerContext>;
}

/** The token is for another workspace than the session kept, for example after it was renewed. */
function isOtherWorkspace({ extensions }: CombinedError['graphQLErrors'][number]): boolean {
  return [extensions.reason, extensions.code].includes('WORKSPACE_FORBIDDEN');
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
