import { useQuery } from 'urql';
import { Redirect } from 'wouter';
import { Loading } from '../pieces/Loading.tsx';
import { STANDING } from '../pieces/standing-query.ts';
import { useWorkspaces } from '../session/use-workspaces.ts';
import { useMay } from '../session/ViewerProvider.tsx';
import { PartnerCard } from '../views/home/PartnerCard.tsx';
import { ReviewAttention } from '../views/home/ReviewAttention.tsx';
import { ChooseWorkspace } from './ChooseWorkspace.tsx';

/**
 * Redirects each viewer to the first page that has content for their role. Agencies work with the partner
 * program, platform admins with its reviews; neither needs a workspace.
 */
export default function StartWithoutWorkspace() {
  const { workspaces, isAsking } = useWorkspaces();
  const [{ data, fetching }] = useQuery({ query: STANDING });
  const [isOwner, isAdmin] = [useMay('OWNER'), useMay('PLATFORM_ADMIN')];
  if (isAsking || (data === undefined && fetching)) return <Loading label="Loading" />;
  if (workspaces.length === 0) {
    if (data?.referralProgram.partnerStatus === 'AGENCY') return <Redirect to="/partner" replace />;
    if (isAdmin && !isOwner) return <Redirect to="/partner/reviews" replace />;
  }
  return (
    <ChooseWorkspace>
      {isAdmin && <ReviewAttention />}
      <PartnerCard />
    </ChooseWorkspace>
  );
}
