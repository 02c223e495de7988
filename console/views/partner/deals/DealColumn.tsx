import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from 'urql';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import type { BoardColumn } from './board-columns.ts';
import { DealCard } from './DealCard.tsx';
import { DropTarget } from './DropTarget.tsx';
import { DEALS, DEALS_CONTEXT, type DealStatus } from './deals-query.ts';

type DealColumnProps = BoardColumn & {
  /** How many deals there are of each status. */
  readonly counts: Readonly<Record<DealStatus, number>>;
};

export function DealColumn({ title, statuses, counts }: DealColumnProps) {
  const count = statuses.reduce((sum, status) => sum + counts[status], 0);
  return (
    <section className="deal-column" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" px={6} py={4} mb={count === 0 ? 0 : 6}>
        <Title order={2} size="h6">
          {title}
        </Title>
        <Badge variant="default" radius="sm">
          {inCount(count)}
        </Badge>
      </Group>
      {count === 0 ? (
        <Text size="sm" c="dimmed" px={6} pb={6}>
          None
        </Text>
      ) : (
        <Stack gap="xs">
          {statuses
            .filter(status => counts[status] !== 0)
            .map(status => (
              <Cards key={status} status={status} />
            ))}
        </Stack>
      )}
      <DropTarget statuses={statuses} />
    </section>
  );
}

function Cards({ status }: { readonly status: DealStatus }) {
  const asked = useQuery({ query: DEALS, variables: { status }, context: DEALS_CONTEXT });
  return (
    <Asked asked={asked} label="Loading deals">
      {data => <Pages data={data} status={status} />}
    </Asked>
  );
}

type PagesProps = { readonly data: ResultOf<typeof DEALS>; readonly status: DealStatus };

function Pages({ data, status }: PagesProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.agencyDeals,
    DEALS,
    { status },
    of => of.agencyDeals,
  );
  return (
    <Stack gap="xs">
      {nodes.map(deal => (
        <DealCard key={deal.id} deal={deal} />
      ))}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </Stack>
  );
}
