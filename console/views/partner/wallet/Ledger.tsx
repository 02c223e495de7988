import { Button, Group, MultiSelect, TextInput } from '@mantine/core';
import { IconDownload, IconListDetails } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import type { ResultOf, VariablesOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Table } from '../../../pieces/Table.tsx';
import { useDownload } from '../../../pieces/use-download.ts';
import { usePages } from '../../../pieces/use-pages.ts';
import { LEDGER_COLUMNS } from './ledger-columns.tsx';
import { KIND_OPTIONS } from './transaction-kinds.ts';
import { LEDGER, type TransactionKind } from './wallet-query.ts';

type Chosen = { readonly kinds: string[]; readonly from: string; readonly to: string };
type Variables = VariablesOf<typeof LEDGER>;

const ALL: Chosen = { kinds: [], from: '', to: '' };
const CONTEXT = { additionalTypenames: ['LedgerTransaction', 'Wallet', 'Payout'] };

/** The transactions of the wallet, newest first. */
export function Ledger() {
  const [chosen, setChosen] = useState(ALL);
  const variables = useMemo(() => variablesOf(chosen), [chosen]);
  const asked = useQuery({ query: LEDGER, variables, context: CONTEXT });
  return (
    <Card title="Ledger" isFlush actions={<CsvButton chosen={chosen} />}>
      <Filters chosen={chosen} onChange={setChosen} />
      <Asked asked={asked} label="Loading the ledger">
        {data => (
          <Lines
            key={JSON.stringify(variables)}
            data={data}
            variables={variables}
            isFiltered={chosen.kinds.length > 0 || chosen.from !== '' || chosen.to !== ''}
          />
        )}
      </Asked>
    </Card>
  );
}

/** Days are the calendar's in UTC, as in the CSV; both are included. */
function variablesOf({ kinds, from, to }: Chosen): Variables {
  return {
    kinds: kinds.length === 0 ? null : (kinds as TransactionKind[]),
    since: from === '' ? null : `${from}T00:00:00Z`,
    until: to === '' ? null : `${dayAfter(to)}T00:00:00Z`,
  };
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

type FiltersProps = { readonly chosen: Chosen; readonly onChange: (chosen: Chosen) => void };

function Filters({ chosen, onChange }: FiltersProps) {
  return (
    <Group px="lg" pb="md" gap="sm" align="flex-end">
      <MultiSelect
        label="Type"
        placeholder={chosen.kinds.length === 0 ? 'All types' : ''}
        size="xs"
        flex="1 1 240px"
        maw={520}
        data={KIND_OPTIONS}
        value={chosen.kinds}
        onChange={kinds => onChange({ ...chosen, kinds })}
        clearable
        clearButtonProps={{ 'aria-label': 'All types' }}
      />
      <TextInput
        type="date"
        label="From"
        size="xs"
        value={chosen.from}
        max={chosen.to}
        onChange={({ currentTarget }) => onChange({ ...chosen, from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label="To"
        size="xs"
        value={chosen.to}
        min={chosen.from}
        onChange={({ currentTarget }) => onChange({ ...chosen, to: currentTarget.value })}
      />
    </Group>
  );
}

function CsvButton({ chosen: { kinds, from, to } }: { readonly chosen: Chosen }) {
  const { save, saving } = useDownload();
  const query = new URLSearchParams({ format: 'csv' });
  if (kinds.length > 0) query.set('kind', kinds.join());
  if (from !== '') query.set('from', from);
  if (to !== '') query.set('to', to);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={15} />}
      loading={saving !== undefined}
      onClick={() => void save(`/api/v1/referrals/transactions?${query}`, 'wallet.csv')}
    >
      Download CSV
    </Button>
  );
}

type LinesProps = {
  readonly data: ResultOf<typeof LEDGER>;
  readonly variables: Variables;
  readonly isFiltered: boolean;
};

function Lines({ data, variables, isFiltered }: LinesProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.walletTransactions,
    LEDGER,
    variables,
    of => of.walletTransactions,
  );
  if (nodes.length === 0)
    return (
      <Empty
        title={isFiltered ? 'No matching transactions' : 'No transactions yet'}
        icon={IconListDetails}
      >
        {isFiltered
          ? 'Change the types or dates.'
          : 'Each earning, redemption and payout adds a permanent entry here.'}
      </Empty>
    );
  return (
    <>
      <Table label="Ledger" rows={nodes} keyOf={({ id }) => id} columns={LEDGER_COLUMNS} />
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}
