import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount, inExactMoment } from '../../../pieces/in-words.ts';
import { isFeedback, nameInWords } from '../../../pieces/sent-event/sent.ts';
import { useCampaigns } from '../../../pieces/sent-event/use-campaigns.ts';
import { groupName } from '../group-name.ts';
import { ReasonWords, sentenceOf } from '../ReasonWords.tsx';
import { EVENTS, GROUPS, type Group, type RejectedRow, rowOf } from '../rejected-query.ts';
import type { ReplayScope } from './replay-href.ts';

/** The events of a replay that covers only one group, or only one event. */
export function ScopeFacts({ scope }: { readonly scope: ReplayScope }) {
  return scope.hash === undefined ? <OfGroup scope={scope} /> : <OfEvent scope={scope} />;
}

function OfGroup({ scope: { range, codes, group } }: { readonly scope: ReplayScope }) {
  const code = codes[0] ?? null;
  const variables = useMemo(() => ({ range, code }), [range, code]);
  const asked = useQuery({ query: GROUPS, variables });
  return (
    <Asked asked={asked} label="Loading the group">
      {({ rejectedEventGroups: groups }) => {
        const found = groups?.find(({ key }) => key === group);
        return found ? <GroupFacts group={found} range={range} /> : <NotFound />;
      }}
    </Asked>
  );
}

function GroupFacts({ group, range }: Pick<ReplayScope, 'range'> & { readonly group: Group }) {
  const { code, messages } = group;
  const campaigns = useCampaigns(isFeedback(group));
  return (
    <Facts
      facts={[
        ['Events', inCount(group.count)],
        ['Event', groupName(group, campaigns)],
        ['Reason', <ReasonWords key="reason" code={code} message={sentenceOf(messages)} />],
        ['SDK key', group.sdkKey?.name ?? 'Unknown'],
        ['SDK version', group.sdk ?? 'Not sent'],
        ['Received from', inExactMoment(range.from)],
        ['Until', inExactMoment(range.to)],
      ]}
    />
  );
}

function OfEvent({ scope: { range, codes, hash } }: { readonly scope: ReplayScope }) {
  const code = codes[0] ?? null;
  const variables = useMemo(() => ({ range, code, group: null }), [range, code]);
  const asked = useQuery({ query: EVENTS, variables });
  return (
    <Asked asked={asked} label="Loading the event">
      {({ rejectedEvents }) => {
        const found = rejectedEvents?.nodes.find(node => node.hash === hash);
        return found ? <EventFacts row={rowOf(found)} /> : <NotFound />;
      }}
    </Asked>
  );
}

function EventFacts({ row: { sent } }: { readonly row: RejectedRow }) {
  return (
    <Facts
      facts={[
        ['Event', nameInWords(sent, NO_CAMPAIGNS)],
        ['Reason', <ReasonWords key="reason" {...sent.refusal} />],
        ['User ID', sent.userId],
        ['Received', inExactMoment(sent.receivedAt)],
      ]}
    />
  );
}

function NotFound() {
  return <Text size="sm">No events found. They may have been deleted since.</Text>;
}

/** Feedback can’t be replayed. */
const NO_CAMPAIGNS = new Map();
