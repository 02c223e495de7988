import { Button, Group, SegmentedControl, Select, Switch, Text } from '@mantine/core';
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
import { keepPlace } from '../../../shell/use-kept-place.ts';
import { KINDS } from './kinds.ts';
import { TimelineList } from './TimelineList.tsx';
import { CAMPAIGN_NAMES, TIMELINE, type TimelinePage } from './timeline-query.ts';
import { useKind } from './use-kind.ts';
import { LENGTHS, type Range, useRange } from './use-range.ts';

type TimelineProps = {
  readonly userId: string;
  /** The ID under which events were recorded before the person was identified. */
  readonly anonymousId: string | null;
};

const FIRST_PAGE = 25;
/** Who asks for more is looking for something. A query of 50 would cost more than the API allows. */
const FURTHER_PAGE = 40;

/** Events, messages, campaigns and answers of one person, newest first. */
export function Timeline({ userId, anonymousId }: TimelineProps) {
  const state = useRange();
  const [isAnonymous, setIsAnonymous] = useState(false);
  const { range } = state;
  const { kind, setKind } = useKind();
  const variables = useMemo(
    () => ({
      range,
      first: FIRST_PAGE,
      ...(kind && { kinds: [...kind.kinds] }),
      ...(isAnonymous ? { anonymousId } : { userId }),
    }),
    [userId, anonymousId, isAnonymous, range, kind],
  );
  const { days, isUntilNow } = state;
  const shown = [kind?.value, isAnonymous, days, isUntilNow ? 'now' : range.to].join(' ');
  return (
    <Card title="Timeline" isFlush actions={<Period {...state} />}>
      <Group component="search" px="lg" pb="md" aria-label="Filters">
        <Select
          aria-label="Kind"
          w={{ base: '100%', xs: 420 }}
          data={[
            { value: '', label: 'Everything' },
            ...KINDS.map(({ value, label }) => ({ value, label })),
          ]}
          value={kind?.value ?? ''}
          onChange={value => setKind(value ?? '')}
          allowDeselect={false}
        />
      </Group>
      {anonymousId && (
        <Switch
          label="Only before the person was identified"
          description="Shows events with the contact’s anonymous ID instead"
          checked={isAnonymous}
          onChange={({ currentTarget }) => setIsAnonymous(currentTarget.checked)}
          px="lg"
          pb="md"
        />
      )}
      <Items
        key={shown}
        variables={variables}
        none={kind?.none}
        onEverything={() => setKind('')}
        {...state}
      />
    </Card>
  );
}

const EARLIER_ID = 'timeline-earlier';

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
          id={EARLIER_ID}
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

type ItemsProps = NothingProps & {
  readonly variables: Omit<VariablesOf<typeof TIMELINE>, 'after'>;
};

/** Remounted when the filters change, so that it never shows items of the previous filters. */
function Items(props: ItemsProps) {
  const asked = useQuery({ query: TIMELINE, variables: props.variables });
  return (
    <Asked asked={asked} label="Loading the timeline">
      {({ userTimeline }) => userTimeline && <Pages first={userTimeline} {...props} />}
    </Asked>
  );
}

type PagesProps = ItemsProps & { readonly first: TimelinePage };

function Pages({ first, variables, ...period }: PagesProps) {
  const { nodes, page, isLoading, error, showMore } = usePages(
    first,
    TIMELINE,
    { ...variables, first: FURTHER_PAGE },
    of => of.userTimeline,
  );
  const campaigns = useCampaigns();
  if (nodes.length === 0) return <Nothing {...period} />;
  return (
    <>
      <TimelineList items={nodes} campaigns={campaigns} />
      {error && <Problem error={error} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
      {!page.hasNextPage && (
        <Text size="sm" c="dimmed" ta="center" p="md">
          End of the list: {periodInWords(period)}
        </Text>
      )}
    </>
  );
}

type NothingProps = PeriodProps & {
  /** What the period has none of; undefined for everything. */
  readonly none: string | undefined;
  readonly onEverything: () => void;
};

function Nothing({ none, onEverything, ...period }: NothingProps) {
  // The pressed button goes away.
  const leaveFor = (show: () => void) => {
    keepPlace(document.getElementById(EARLIER_ID) ?? undefined);
    show();
  };
  return (
    <Empty title={`No ${none ?? 'activity'} in this period`} icon={IconTimeline}>
      <Text size="sm">{periodInWords(period)}</Text>
      <Group justify="center" gap="xs" mt="md">
        <Button variant="default" onClick={() => leaveFor(period.goEarlier)}>
          Show earlier
        </Button>
        {none !== undefined && (
          <Button variant="default" onClick={() => leaveFor(onEverything)}>
            Show everything
          </Button>
        )}
      </Group>
    </Empty>
  );
}

function periodInWords({ range: { from, to }, isUntilNow }: PeriodProps): string {
  return `${inDayOf(from)} to ${isUntilNow ? 'now' : inDayOf(to)}`;
}

function useCampaigns() {
  const [{ data }] = useQuery({ query: CAMPAIGN_NAMES });
  return useMemo(
    () => new Map(data?.campaigns.nodes.map(({ id, sdkId, name }) => [sdkId, { id, name }])),
    [data],
  );
}
