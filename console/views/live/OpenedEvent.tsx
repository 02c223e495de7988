import { Anchor, Drawer, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { rejectedEventHref } from '../../pieces/sent-event/rejected-event-href.ts';
import { SentDetails } from '../../pieces/sent-event/SentDetails.tsx';
import { isFeedback, nameInWords, type Sent } from '../../pieces/sent-event/sent.ts';
import { useCampaigns } from '../../pieces/sent-event/use-campaigns.ts';

type OpenedEventProps = { readonly sent: Sent | null; readonly onClose: () => void };

/** One event of the list, in full. A rejected event has a page that can be linked. */
export default function OpenedEvent({ sent, onClose }: OpenedEventProps) {
  const campaigns = useCampaigns(sent !== null && isFeedback(sent));
  const name = sent && nameInWords(sent, campaigns);
  return (
    <Drawer
      opened={sent !== null}
      onClose={onClose}
      size="lg"
      title={sent?.refusal ? `Rejected: ${name}` : name}
    >
      {sent && (
        <Stack gap="lg">
          <SentDetails sent={sent} />
          {sent.refusal && (
            <Anchor component={Link} href={rejectedEventHref(sent)} size="sm">
              Open in rejected events
            </Anchor>
          )}
        </Stack>
      )}
    </Drawer>
  );
}
