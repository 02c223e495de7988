import { Alert, Button, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Page } from '../../../pieces/Page.tsx';
import {
  type EventAddress,
  eventAddress,
  listHref,
} from '../../../pieces/sent-event/rejected-event-href.ts';
import { SentDetails } from '../../../pieces/sent-event/SentDetails.tsx';
import { isFeedback, nameInWords } from '../../../pieces/sent-event/sent.ts';
import { useCampaigns } from '../../../pieces/sent-event/use-campaigns.ts';
import { UserLink } from '../../../pieces/UserLink.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { EVENTS, type RejectedNode, rowOf } from '../rejected-query.ts';
import { ReplayButton } from '../replay/ReplayButton.tsx';
import { REPLAYED_ENDPOINT } from '../replay/replay-query.ts';

/** One rejected event: why it was rejected, and where in its JSON. */
export function RejectedEvent() {
  const [params] = useSearchParams();
  const address = eventAddress(params);
  const range = useMemo(() => momentOf(address?.at), [address?.at]);
  const asked = useQuery({
    query: EVENTS,
    variables: { range, code: address?.code ?? null, group: null },
    pause: address === undefined,
  });
  const [{ data }, ask] = asked;
  const found = address && data?.rejectedEvents?.nodes.find(node => isAt(node, address));
  const row = useMemo(() => found && rowOf(found), [found]);
  const campaigns = useCampaigns(row !== undefined && isFeedback(row.sent));
  const isReplayable = useMay('OWNER') && row?.sent.endpoint === REPLAYED_ENDPOINT;
  return (
    <Page
      title={row === undefined ? 'Rejected event' : nameInWords(row.sent, campaigns)}
      back={{ href: listHref(params), label: 'Rejected events' }}
      actions={
        isReplayable && (
          <ReplayButton
            scope={{ range, codes: [row.sent.refusal.code], hash: row.hash }}
            label="Replay this event"
          />
        )
      }
    >
      <Card>
        {address === undefined ? (
          <NotFound />
        ) : (
          <Asked asked={asked} label="Loading the event">
            {({ rejectedEvents }) =>
              rejectedEvents &&
              (row === undefined ? (
                <NotFound onRetry={() => ask({ requestPolicy: 'network-only' })} />
              ) : (
                <Stack gap="lg">
                  {row.isAccepted === true && <Accepted userId={row.sent.userId} />}
                  <SentDetails sent={row.sent} />
                </Stack>
              ))
            }
          </Asked>
        )}
      </Card>
    </Page>
  );
}

function Accepted({ userId }: { readonly userId: string | null }) {
  return (
    <Alert color="green" variant="outline" role="note" title="Accepted since">
      An event with this message ID was accepted later, by a replay or when it was sent again.
      {userId !== null && (
        <>
          {' '}
          See the timeline of <UserLink userId={userId} />.
        </>
      )}
    </Alert>
  );
}

function NotFound({ onRetry }: { readonly onRetry?: () => void }) {
  return (
    <Empty title="Event not found">
      {onRetry && 'New events appear after a few seconds. '}
      {onRetry && (
        <Button variant="default" size="xs" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Empty>
  );
}

function momentOf(at: string | undefined) {
  const atMs = Date.parse(at ?? '1970-01-01');
  return { from: new Date(atMs).toISOString(), to: new Date(atMs + 1).toISOString() };
}

function isAt({ batchIndex, messageId }: RejectedNode, address: EventAddress): boolean {
  return batchIndex === address.batchIndex && messageId === address.messageId;
}
