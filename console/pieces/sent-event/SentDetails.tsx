import { Alert, Anchor, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../../graph/graphql.ts';
import { Facts } from '../Facts.tsx';
import { inCount, inExactMoment } from '../in-words.ts';
import { UserLink } from '../UserLink.tsx';
import { differingEventTime } from './event-time.ts';
import { SentPayload } from './SentPayload.tsx';
import { isFeedback, type Sent } from './sent.ts';
import { useCampaigns } from './use-campaigns.ts';

const KEY = graphql(`
  query LiveKey($id: ID!) { node(id: $id) { __typename ... on SdkKey { id name } } }
`);

/** One event as it was sent; if it was rejected, with the reason and its place in the JSON. */
export function SentDetails({ sent }: { readonly sent: Sent }) {
  const { refusal } = sent;
  return (
    <Stack gap="lg">
      {refusal && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle />}
          title={refusal.code}
          role="note"
        >
          {refusal.message}
        </Alert>
      )}
      <SentFacts sent={sent} />
      <SentPayload sent={sent} />
    </Stack>
  );
}

function SentFacts({ sent }: { readonly sent: Sent }) {
  const { receivedAt, endpoint, type, userId, anonymousId, messageId, refusal } = sent;
  const eventTime = differingEventTime(sent);
  const mono = (text: string | null | undefined) => text && <span className="mono">{text}</span>;
  return (
    <Facts
      facts={[
        ['Received', inExactMoment(receivedAt)],
        ['Event time', eventTime && inExactMoment(eventTime)],
        ['Endpoint', mono(endpoint)],
        ['SDK key', sent.sdkKeyId && <KeyName key="key" id={sent.sdkKeyId} />],
        ['Type', type],
        ['Campaign', isFeedback(sent) ? <CampaignLink key="campaign" sdkId={sent.name} /> : null],
        ['User ID', userId && <UserLink userId={userId} />],
        ['Anonymous ID', mono(anonymousId)],
        ['Message ID', mono(messageId)],
        ['Place in its batch', refusal && inCount(refusal.batchIndex + 1)],
      ]}
    />
  );
}

function KeyName({ id }: { readonly id: string }) {
  const [{ data, error }] = useQuery({ query: KEY, variables: { id } });
  if (data?.node?.__typename === 'SdkKey') return data.node.name;
  return data === undefined && error === undefined ? '…' : 'Unknown';
}

function CampaignLink({ sdkId }: { readonly sdkId: string | null }) {
  const campaign = useCampaigns(true).get(sdkId ?? '');
  if (campaign === undefined) return <span className="mono">{sdkId ?? 'Unknown'}</span>;
  return (
    <Anchor component={Link} href={`/campaigns/${campaign.id}`} inherit underline="hover">
      {campaign.name}
    </Anchor>
  );
}
