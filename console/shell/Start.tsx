import { useQuery } from 'urql';
import { Redirect } from 'wouter';
import { graphql } from '../graph/graphql.ts';
import { Loading } from '../pieces/Loading.tsx';
import { useViewer } from '../session/ViewerProvider.tsx';
import { ChooseWorkspace } from './ChooseWorkspace.tsx';
import { HOME } from './views.ts';

const STANDING = graphql(`
  query Start { referralProgram { partnerStatus } }
`);

/** The first page: nobody begins where there is nothing for them. */
export function Start() {
  const { workspace } = useViewer();
  return workspace === null ? <WithoutWorkspace /> : <HOME.Component />;
}

/** Agencies work with the partner program, and often have no workspace. */
function WithoutWorkspace() {
  const [{ data, fetching }] = useQuery({ query: STANDING });
  if (data === undefined && fetching) return <Loading label="Loading" />;
  if (data?.referralProgram.partnerStatus === 'AGENCY') return <Redirect to="/partner" replace />;
  return <ChooseWorkspace />;
}
