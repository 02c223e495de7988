import { Anchor, Box } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { isFeedback } from '../../../pieces/sent-event/sent.ts';
import { useCampaigns } from '../../../pieces/sent-event/use-campaigns.ts';
import { groupName } from '../group-name.ts';
import { ReasonWords, sentenceOf } from '../ReasonWords.tsx';
import { EVENTS, type Group } from '../rejected-query.ts';
import { LastReplay } from '../replay/LastReplay.tsx';
import type { useRejectedFilter } from '../use-rejected-filter.ts';
import { EventsOfGroup } from './EventsOfGroup.tsx';

type OpenedGroupProps = {
  /** Undefined if the range has no such group. */
  readonly group: Group | undefined;
  readonly range: Range;
  readonly filter: ReturnType<typeof useRejectedFilter>;
};

/** The events of one group. Each has a page of its own. */
export function OpenedGroup({ group, range, filter }: OpenedGroupProps) {
  return (
    <>
      <Box px="lg" pb="sm">
        <Anchor
          component={Link}
          href={filter.hrefOf({ group: undefined, accepted: undefined })}
          size="sm"
          underline="hover"
        >
          <IconChevronLeft size={14} style={{ verticalAlign: -2 }} aria-hidden /> All groups
        </Anchor>
      </Box>
      {group === undefined ? (
        <Empty title="No events in this group">Choose another time range.</Empty>
      ) : (
        <Shown group={group} range={range} filter={filter} />
      )}
    </>
  );
}

type ShownProps = OpenedGroupProps & { readonly group: Group };

function Shown({ group, range, filter }: ShownProps) {
  const { code, key, sdk, sdkKey, count, messages } = group;
  const campaigns = useCampaigns(isFeedback(group));
  const variables = useMemo(() => ({ range, code, group: key }), [range, code, key]);
  const asked = useQuery({ query: EVENTS, variables });
  return (
    <>
      <Box px="lg" pb="md">
        <Facts
          facts={[
            ['Event', groupName(group, campaigns)],
            ['Reason', <ReasonWords key="reason" code={code} message={sentenceOf(messages)} />],
            ['SDK key', sdkKey?.name ?? 'Unknown'],
            ['SDK version', sdk ?? 'Not sent'],
            ['Events', inCount(count)],
            ['Last replay', <LastReplay key="replay" group={group} />],
          ]}
        />
      </Box>
      <Asked asked={asked} label="Loading the events of the group">
        {({ rejectedEvents: first }) =>
          first && <EventsOfGroup first={first} variables={variables} filter={filter} />
        }
      </Asked>
    </>
  );
}
