import { Text } from '@mantine/core';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { GROUPS, GROUPS_MAX, type Group } from '../rejected-query.ts';
import type { useRejectedFilter } from '../use-rejected-filter.ts';
import { GroupsReplay } from './GroupsReplay.tsx';
import { GroupTable } from './GroupTable.tsx';
import { OpenedGroup } from './OpenedGroup.tsx';

type GroupCardProps = {
  readonly range: Range;
  readonly filter: ReturnType<typeof useRejectedFilter>;
};

/** The rejected events in groups, or the events of the opened group. */
export function GroupCard({ range, filter }: GroupCardProps) {
  const { code, group: opened } = filter;
  const variables = useMemo(() => ({ range, code: code ?? null }), [range, code]);
  const asked = useQuery({ query: GROUPS, variables });
  const [{ data }] = asked;
  const isOwner = useMay('OWNER');
  const isOpen = opened !== undefined && code !== undefined;
  const box = useGroupFocus(isOpen ? `${code} ${opened}` : undefined);
  if (!isOpen && data?.rejectedEventGroups?.length === 0) return null;
  return (
    <div ref={box}>
      <Card
        isFlush
        title={isOpen ? 'Events of one group' : 'By event, key and SDK version'}
        actions={isOpen && isOwner && <GroupsReplay range={range} filter={filter} />}
      >
        <Asked asked={asked} label="Loading rejected events">
          {({ rejectedEventGroups: groups }) =>
            groups &&
            (isOpen ? (
              <OpenedGroup
                key={opened}
                group={groups.find(({ key }) => key === opened)}
                range={range}
                filter={filter}
              />
            ) : (
              <>
                <GroupTable
                  groups={groups}
                  list={variables}
                  isLoading={asked[0].fetching}
                  filter={filter}
                />
                <Text size="sm" c="dimmed" px="lg" py="sm">
                  {countOf(groups)}
                </Text>
              </>
            ))
          }
        </Asked>
      </Card>
    </div>
  );
}

function countOf(groups: readonly Group[]): string {
  if (groups.length === GROUPS_MAX)
    return `Only the ${inCount(GROUPS_MAX)} largest groups are shown.`;
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  return `All ${inCount(total)} events are grouped.`;
}

/**
 * Opening a group, or going back to all, replaces the link that had focus: the heading of the group has it
 * then, or the link to the group that was open.
 */
function useGroupFocus(opened: string | undefined): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const last = useRef(opened);
  useEffect(() => {
    const before = last.current;
    if (before === opened) return;
    last.current = opened;
    const isBack = opened === undefined;
    const link = isBack && box.current?.querySelector<HTMLElement>(`[data-group="${before}"]`);
    if (link) link.focus();
    else focusHeading(box.current);
  }, [opened]);
  return box;
}

function focusHeading(box: HTMLElement | null): void {
  const heading = box?.querySelector('h2');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
  // The reasons above it fill the screen.
  heading?.scrollIntoView({ block: 'start' });
}
