import { Button, Code, Text } from '@mantine/core';
import { IconRefresh, IconScale, IconScaleOutline } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';

const RECONCILIATION = graphql(`
  query PartnerReviewBooks {
    reconciliation { check subject organizationId expectedMinor actualMinor }
  }
`);

type Discrepancy = ResultOf<typeof RECONCILIATION>['reconciliation'][number];

/** It reads the whole ledger, so it runs only on request. */
export function Books() {
  const asked = useQuery({ query: RECONCILIATION, pause: true });
  const [{ data, fetching }, ask] = asked;
  return (
    <Card
      title="Ledger check"
      isFlush={data !== undefined && data.reconciliation.length > 0}
      actions={
        <Button
          size="xs"
          variant={data === undefined ? 'filled' : 'default'}
          leftSection={<IconRefresh size={15} />}
          loading={fetching}
          onClick={() => ask({ requestPolicy: 'network-only' })}
        >
          {data === undefined ? 'Check' : 'Check again'}
        </Button>
      }
    >
      {data === undefined && !fetching && asked[0].error === undefined ? (
        <Empty title="Not checked yet" icon={IconScaleOutline}>
          The check compares all ledger postings with their earnings, payouts, redemptions and
          invoices, and all balances with their entries.
        </Empty>
      ) : (
        <Asked asked={asked} label="Checking the whole ledger">
          {({ reconciliation }) => <Outcome discrepancies={reconciliation} />}
        </Asked>
      )}
    </Card>
  );
}

function Outcome({ discrepancies }: { readonly discrepancies: readonly Discrepancy[] }) {
  if (discrepancies.length === 0)
    return (
      <Empty title="The ledger is balanced" icon={IconScale}>
        All postings and balances match their sources.
      </Empty>
    );
  return (
    <Table
      label="Discrepancies"
      rows={discrepancies}
      keyOf={({ check, subject }) => `${check} ${subject}`}
      columns={COLUMNS}
    />
  );
}

const COLUMNS: readonly Column<Discrepancy>[] = [
  {
    title: 'Check',
    cell: ({ check, subject }) => (
      <>
        <Text size="sm" fw={600}>
          {check}
        </Text>
        <Code>{subject}</Code>
      </>
    ),
  },
  { title: 'Expected', isNumber: true, cell: ({ expectedMinor }) => expectedMinor },
  { title: 'Actual', isNumber: true, cell: ({ actualMinor }) => actualMinor },
];
