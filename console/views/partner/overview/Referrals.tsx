import { SegmentedControl } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { State, type Tone } from '../../../pieces/State.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { When } from '../../../pieces/When.tsx';
import { REFERRALS, type Referral, type ReferralState } from './overview-query.ts';

const STATES = [
  { value: '', label: 'All' },
  { value: 'ACTIVE', label: 'Paying' },
  { value: 'SIGNED_UP', label: 'Signed up' },
  { value: 'INACTIVE', label: 'Inactive' },
];

export function Referrals() {
  const [chosen, setChosen] = useState('');
  const state = chosen === '' ? null : (chosen as ReferralState);
  const asked = useQuery({ query: REFERRALS, variables: { state } });
  return (
    <Card
      title="Referrals"
      isFlush
      actions={
        <SegmentedControl
          aria-label="Referral state"
          size="xs"
          data={STATES}
          value={chosen}
          onChange={setChosen}
        />
      }
    >
      <Asked asked={asked} label="Loading referrals">
        {data => <ReferralList key={chosen} data={data} state={state} />}
      </Asked>
    </Card>
  );
}

type ReferralListProps = {
  readonly data: ResultOf<typeof REFERRALS>;
  readonly state: ReferralState | null;
};

function ReferralList({ data, state }: ReferralListProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.referrals,
    REFERRALS,
    { state },
    of => of.referrals,
  );
  if (nodes.length === 0)
    return (
      <Empty title={state === null ? 'No referrals yet' : 'No matching referrals'} icon={IconUsers}>
        {state === null
          ? 'Share your link. Sign-ups and what you earn from them appear here.'
          : 'Select “All” to see every referral.'}
      </Empty>
    );
  return (
    <>
      <Table label="Referrals" rows={nodes} keyOf={({ id }) => id} columns={COLUMNS} />
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

const TONES: Record<ReferralState, Tone> = {
  SIGNED_UP: 'waiting',
  ACTIVE: 'good',
  INACTIVE: 'bad',
};
const LABELS: Record<ReferralState, string> = {
  SIGNED_UP: 'Signed up',
  ACTIVE: 'Paying',
  INACTIVE: 'Charged back',
};

const COLUMNS: readonly Column<Referral>[] = [
  { title: 'Signed up on', cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
  {
    title: 'State',
    cell: ({ state }) => <State name={state} tone={TONES[state]} label={LABELS[state]} />,
  },
  {
    title: 'First payment',
    isWide: true,
    cell: ({ firstPaidAt }) => <When at={firstPaidAt} never="Not yet" isRelative />,
  },
  { title: 'Earned', isNumber: true, cell: ({ earned }) => <Money of={earned} fw={600} /> },
];
