import { Page } from '../../pieces/Page.tsx';
import { useViewer } from '../../session/ViewerProvider.tsx';
import { Attention } from './Attention.tsx';
import { Checklist } from './Checklist.tsx';
import { PartnerCard } from './PartnerCard.tsx';
import { Totals } from './Totals.tsx';

/** What to do next in a new workspace; what happened and what needs attention in any. */
export default function Home() {
  const { workspace, organization } = useViewer();
  return (
    <Page title="Home" about={workspace?.name ?? organization?.name}>
      <PartnerCard />
      <Checklist />
      <Attention />
      <Totals />
    </Page>
  );
}
