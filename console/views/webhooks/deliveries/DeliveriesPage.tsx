import { Page } from '../../../pieces/Page.tsx';
import { SECTIONS } from '../webhook-paths.ts';
import { Deliveries } from './Deliveries.tsx';

/** The deliveries to all endpoints, including deleted ones. */
export function DeliveriesPage() {
  return (
    <Page
      title="Webhooks"
      about="Webhooks sent to your systems in the last 30 days."
      sections={SECTIONS}
    >
      <Deliveries fixed={NOTHING} isReplayable />
    </Page>
  );
}

const NOTHING = {};
