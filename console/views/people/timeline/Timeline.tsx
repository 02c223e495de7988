import { Button, Group, SegmentedControl, Switch, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconRefresh, IconTimeline } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import type { VariablesOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inDayOf } from '../../../pieces/in-words.ts';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { TimelineList } from './TimelineList.tsx';
import { CAMPAIGN_NAMES, TIMELINE, type TimelinePage } from './timeline-query.ts';
import { LENGTHS, type Range, useRange } from './use-range.ts';

type TimelineProps = {
  readonly userId: string;
  /** The ID under which events were recorded before the person was identified. */
  readonly anonymousId: string | null;
};

/** Events, messages, campaigns and answers of one person, newest first. */
export function Timeline({ userId, anonymousId }: TimelineProps) {
  const state = useRange();
  const [isAnonymous, setIsAnonymous] = useState(false);
  const { range } = state;
  const variables = useMemo(
    () => ({ range, ...(isAnonymous ? { anonymousId } : { userId }) }),
    [userId, anonymousId, isAnonymous, range],
  );
  const asked = useQuery({ query: TIMELINE, variables });
  return (
    <Card title="Timeline" isFlush actions={<Period {...state} />}>
      {anonymousId && (
        <Switch
          label="Before the person was identified"
          description="Events with the anonymous ID of the contact"
          checked={isAnonymous}
          onChange={({ currentTarget }) => setIsAnonymous(currentTarget.checked)}
          px="lg"
          pb="md"
        />
      )}
      <Asked asked={asked} label="Loading the timeline">
        {({ userTimeline }) =>
          userTimeline && <Pages first={userTimeline} variables={variables} {...state} />
        }
      </Asked>
    </Card>
  );
}

type PeriodProps = Omit<ReturnType<typeof useRange>, 'range'> & { readonly range: Range };

function Period(period: PeriodProps) {
  const { days, isUntilNow, setDays, goEarlier, goLater, refresh } = period;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Time range"
        data={LENGTHS.map(one => ({ value: one.days, label: one.label }))}
        value={days}
        onChange={setDays}
      />
      <Group gap={4}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconChevronLeft size={15} />}
          onClick={goEarlier}
        >
          Earlier
        </Button>
        {isUntilNow ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={15} />}
            onClick={refresh}
          >
            Refresh
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            rightSection={<IconChevronRight size={15} />}
            onClick={goLater}
          >
            Later
          </Button>
        )}
      </Group>
    </>
  );
}

type PagesProps = PeriodProps & {
  readonly first: TimelinePage;
  readonly variables: Omit<VariablesOf<typeof TIMELINE>, 'after'>;
};

function Pages({ first, variables, ...period }: PagesProps) {
  const { nodes, page, isLoading, error, showMore } = usePages(
    first,
    TIMELINE,
    variables,
    of => of.userTimeline,
  );
  const campaigns = useCampaigns();
  if (nodes.length === 0) return <Nothing {...period} />;
  return (
    <>
      <TimelineList items={nodes} campaigns={campaigns} />
      {error && <Problem error={error} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

function Nothing({ range: { from, to }, isUntilNow, goEarlier }: PeriodProps) {
  return (
    <Empty title="No activity in this period" icon={IconTimeline}>
      <Text size="sm">
        {inDayOf(from)} to {isUntilNow ? 'now' : inDayOf(to)}
      </Text>
      <Button variant="default" mt="md" onClick={goEarlier}>
        Show earlier
      </Button>
    </Empty>
  );
}

function useCampaigns() {
  const [{ data }] = useQuery({ query: CAMPAIGN_NAMES });
  return useMemo(
    () => new Map(data?.campaigns.nodes.map(({ id, sdkId, name }) => [sdkId, { id, name }])),
    [data],
  );
}
