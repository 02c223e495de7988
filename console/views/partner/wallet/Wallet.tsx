import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { DebtNotice } from '../DebtNotice.tsx';
import { CashCard, CreditsCard } from './Balances.tsx';
import { Ledger } from './Ledger.tsx';
import { ReleaseTimeline } from './ReleaseTimeline.tsx';
import { WALLET } from './wallet-query.ts';

const CONTEXT = { additionalTypenames: ['AffiliateProfile', 'Wallet'] };

export default function Wallet() {
  const asked = useQuery({ query: WALLET, context: CONTEXT });
  return (
    <Stack gap="lg">
      <Asked asked={asked} label="Loading the wallet">
        {data => (
          <>
            <DebtNotice debt={data.wallet.debt} />
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <CreditsCard data={data} />
              <CashCard data={data} />
            </SimpleGrid>
            <ReleaseTimeline schedule={data.pendingSchedule} />
          </>
        )}
      </Asked>
      <Ledger />
    </Stack>
  );
}
