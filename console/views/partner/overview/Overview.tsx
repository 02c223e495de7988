import { Grid, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { isZero } from '../../../pieces/decimal.ts';
import { Figures } from '../../../pieces/Figures.tsx';
import { inCount, inDay } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { DebtNotice } from '../DebtNotice.tsx';
import { IdentityNotice } from '../identity/IdentityNotice.tsx';
import { OVERVIEW, type Overview as OverviewData } from './overview-query.ts';
import { ReferralFunnel } from './ReferralFunnel.tsx';
import { ReferralLink } from './ReferralLink.tsx';
import { Referrals } from './Referrals.tsx';
import { Standing } from './Standing.tsx';

/** A profile and a wallet may appear where none was. */
const CONTEXT = { additionalTypenames: ['AffiliateProfile', 'Wallet', 'Referral'] };

export function Overview() {
  const asked = useQuery({ query: OVERVIEW, context: CONTEXT });
  return (
    <Stack gap="lg">
      <Asked asked={asked} label="Loading overview">
        {data => (
          <>
            <IdentityNotice profile={data.affiliateProfile} />
            <DebtNotice debt={data.wallet.debt} />
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 7 }}>
                <Stack gap="lg" h="100%">
                  <ReferralLink program={data.referralProgram} />
                  <Totals data={data} />
                </Stack>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 5 }} display="grid">
                <Standing program={data.referralProgram} profile={data.affiliateProfile} />
              </Grid.Col>
            </Grid>
            <ReferralFunnel data={data} />
          </>
        )}
      </Asked>
      <Referrals />
    </Stack>
  );
}

function Totals({ data: { referralProgram, wallet } }: { readonly data: OverviewData }) {
  const { pendingNextReleaseDate: next } = wallet;
  return (
    <Figures
      label="Totals"
      columns={2}
      figures={[
        {
          label: 'Available credits',
          value: <Money of={wallet.creditsBalance} />,
          hint: (
            <>
              of <Money of={wallet.creditsEarned} /> earned
              <Part of={wallet.creditsRedeemed}>applied to invoices</Part>
              <Part of={wallet.creditsConverted}>converted to cash</Part>
            </>
          ),
        },
        {
          label: 'Credits held',
          value: <Money of={wallet.creditsPending} />,
          hint: next === null ? 'None pending' : `Next release: ${inDay(next)}`,
        },
        {
          label: 'Cash',
          value: <Money of={wallet.cashBalance} />,
          hint: isZero(wallet.cashEarned.amount) ? (
            'For affiliates and agencies'
          ) : (
            <>
              of <Money of={wallet.cashEarned} /> earned in commissions
              <Part of={wallet.cashInPayout}>in transit</Part>
              <Part of={wallet.cashWithdrawn}>paid out</Part>
            </>
          ),
        },
        {
          label: 'Paying referrals',
          value: inCount(referralProgram.activeReferralsCount),
          hint: `of ${inCount(referralProgram.referralsCount)} sign-ups`,
        },
      ]}
    />
  );
}

type PartProps = {
  readonly of: OverviewData['wallet']['creditsRedeemed'];
  readonly children: string;
};

/** Where a part of the amount before it went. */
function Part({ of, children }: PartProps) {
  if (isZero(of.amount)) return null;
  return (
    <>
      , <Money of={of} /> {children}
    </>
  );
}
