import { Anchor, Box, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { isLate, useDelay } from '../../../pieces/use-delay.ts';
import { When } from '../../../pieces/When.tsx';
import { sentenceOf } from '../ReasonWords.tsx';
import { REASONS, type Reason } from '../rejected-query.ts';
import type { useRejectedFilter } from '../use-rejected-filter.ts';
import { type ListState, useSteadyOrder } from './use-steady-order.ts';

type ReasonsProps = {
  readonly range: Range;
  readonly filter: ReturnType<typeof useRejectedFilter>;
};

/** The number of events by reason. A reason filters the groups below it. */
export function Reasons({ range, filter }: ReasonsProps) {
  const asked = useQuery({ query: REASONS, variables: { range } });
  return (
    <Asked asked={asked} label="Loading rejected events">
      {({ rejectedEventCodes: reasons }) =>
        reasons &&
        (reasons.length === 0 ? (
          <NoneRejected range={range} />
        ) : (
          <ReasonTable
            reasons={reasons}
            list={range}
            isLoading={asked[0].fetching}
            filter={filter}
          />
        ))
      }
    </Asked>
  );
}

type ReasonTableProps = ListState &
  Pick<ReasonsProps, 'filter'> & { readonly reasons: readonly Reason[] };

function ReasonTable({ reasons, filter, ...state }: ReasonTableProps) {
  const rows = useSteadyOrder(reasons, keyOf, state);
  return (
    <Table
      label="Rejected events by reason"
      rows={rows}
      keyOf={keyOf}
      columns={[reasonColumn(filter), ...COLUMNS]}
    />
  );
}

const keyOf = ({ code }: Reason) => code;

/** While the warehouse is late, rejected events can still arrive. */
function NoneRejected({ range }: { readonly range: Range }) {
  const delay = useDelay();
  const isUpToDate = delay?.isComplete === true && !isLate(delay);
  const isPast = Date.parse(delay?.completeUntil ?? '') >= Date.parse(range.to);
  if (!isUpToDate && !isPast)
    return (
      <Empty title="No rejected events in reports yet">
        Reports are delayed, so events from this time range may still appear.
      </Empty>
    );
  return (
    <Empty title="No rejected events" icon={IconCircleCheck}>
      No events were rejected in this time range. Choose a longer one to look further back.
    </Empty>
  );
}

function reasonColumn({ code: chosen, hrefOf }: ReasonsProps['filter']): Column<Reason> {
  return {
    title: 'Reason',
    cell: ({ code, messages }) => (
      <>
        <Anchor
          component={Link}
          href={hrefOf({ code: code === chosen ? undefined : code, ...NO_GROUP })}
          underline="hover"
          fw={code === chosen ? 700 : 500}
          size="sm"
          aria-current={code === chosen ? 'true' : undefined}
          style={{ overflowWrap: 'anywhere' }}
        >
          {code}
        </Anchor>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {sentenceOf(messages)}
        </Text>
      </>
    ),
  };
}

/** Another reason has other groups. */
const NO_GROUP = { group: undefined, accepted: undefined };

/** Wide enough for every text, so that the columns stay in place while the time goes on. */
function Since({ at }: { readonly at: string }) {
  return (
    <Box miw="6.75rem">
      <When at={at} isRelative />
    </Box>
  );
}

const COLUMNS: readonly Column<Reason>[] = [
  { title: 'Events', isNumber: true, cell: ({ count }) => inCount(count) },
  { title: 'First', isWide: true, cell: ({ firstSeenAt }) => <Since at={firstSeenAt} /> },
  { title: 'Latest', cell: ({ lastSeenAt }) => <Since at={lastSeenAt} /> },
  {
    title: 'Endpoints',
    isWide: true,
    cell: ({ endpoints }) => <span className="mono">{endpoints.join(', ')}</span>,
  },
];
