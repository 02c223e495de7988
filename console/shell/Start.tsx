import { useQuery } from 'urql';
import { Redirect } from 'wouter';
import { graphql } from '../graph/graphql.ts';
import { Loading } from '../pieces/Loading.tsx';
import { useWorkspaces } from '../session/use-workspaces.ts';
import { useMay, useViewer } from '../session/ViewerProvider.tsx';
import { ChooseWorkspace } from './ChooseWorkspace.tsx';
import { HOME } from './views.ts';

const STANDING = graphql(`
  query Start { referralProgram { partnerStatus } }
`);

/** Redirects each viewer to the first page that has content for their role. */
export function Start() {
  const { workspace } = useViewer();
  return workspace === null ? <WithoutWorkspace /> : <HOME.Component />;
}

/** Agencies work with the partner program, platform admins with its reviews; both often have no workspace. */
function WithoutWorkspace() {
  const { workspaces, isAsking } = useWorkspaces();
  const [{ data, fetching }] = useQuery({ query: STANDING });
  const [isOwner, isAdmin] = [useMay('OWNER'), useMay('PLATFORM_ADMIN')];
  if (isAsking || (data === undefined && fetching)) return <Loading label="Loading" />;
  if (workspaces.length > 0) return <ChooseWorkspace />;
  if (data?.referralProgram.partnerStatus === 'AGENCY') return <Redirect to="/partner" replace />;
  if (isAdmin && !isOwner) return <Redirect to="/partner/reviews" replace />;
  return <ChooseWorkspace />;
}
