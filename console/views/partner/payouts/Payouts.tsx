import { Button, Stack, Text } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { isZero } from '../../../pieces/decimal.ts';
import { type Figure, Figures } from '../../../pieces/Figures.tsx';
import { inMoment, inMoney, inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { IdentityNotice } from '../identity/IdentityNotice.tsx';
import { PayoutForm } from './PayoutForm.tsx';
import { PayoutList } from './PayoutList.tsx';
import { PAYABLE, type Payable } from './payouts-query.ts';
import { TaxStatements } from './TaxStatements.tsx';

const CONTEXT = { additionalTypenames: ['AffiliateProfile', 'Wallet'] };

export default function Payouts() {
  const asked = useQuery({ query: PAYABLE, context: CONTEXT });
  const [isAsking, setIsAsking] = useState(false);
  const isOwner = useMay('OWNER');
  const payable = asked[0].data;
  const canAsk = isOwner && payable !== undefined && payable.payoutPreview.refusal === null;
  return (
    <Stack gap="lg">
      <Asked asked={asked} label="Loading payable cash">
        {data => (
          <>
            <IdentityNotice profile={data.affiliateProfile} />
            <Figures label="Cash" figures={figuresOf(data)} />
            <WhyNot payable={data} />
          </>
        )}
      </Asked>
      <PayoutList
        action={
          canAsk && (
            <Button
              size="xs"
              leftSection={<IconBuildingBank size={15} />}
              onClick={() => setIsAsking(true)}
            >
              Request payout
            </Button>
          )
        }
      />
      <TaxStatements />
      <Dialog opened={isAsking} onClose={() => setIsAsking(false)} title="Request payout">
        {payable && <PayoutForm payable={payable} onDone={() => setIsAsking(false)} />}
      </Dialog>
    </Stack>
  );
}

/** If a payout cannot be requested now, shows the requirements. */
function WhyNot({ payable: { payoutPreview, referralProgram } }: { readonly payable: Payable }) {
  const { payoutMinimum: minimum, commissionAgeDays } = referralProgram.terms;
  if (payoutPreview.refusal === null || payoutPreview.refusal === 'KYC_NOT_APPROVED') return null;
  return (
    <Text size="sm" c="dimmed">
      You can request a payout once {inMoney(minimum.amount, minimum.currencyCode)} or more{' '}
      {commissionAgeDays === 1 ? 'is 1 day old' : `is ${commissionAgeDays} days old`}.
    </Text>
  );
}

function figuresOf({ payoutPreview, referralProgram, wallet }: Payable): Figure[] {
  const { payable, nextEligibleAt, taxRateBps } = payoutPreview;
  const { payoutMinimum, commissionAgeDays } = referralProgram.terms;
  const minimum = inMoney(payoutMinimum.amount, payoutMinimum.currencyCode);
  return [
    {
      label: 'Available for payout',
      value: <Money of={payable} />,
      hint:
        nextEligibleAt === null
          ? `Minimum payout: ${minimum}`
          : `More on ${inMoment(nextEligibleAt)}`,
    },
    {
      label: 'Cash balance',
      value: <Money of={wallet.cashBalance} />,
      hint: `Payable when ${commissionAgeDays} days old`,
    },
    {
      label: 'In transit',
      value: <Money of={wallet.cashInPayout} />,
      hint: isZero(wallet.cashInPayout.amount) ? 'No payouts requested' : 'Requested, not yet paid',
    },
    {
      label: 'Tax',
      value: taxRateBps === null ? '–' : inPercent(taxRateBps / 10_000),
      hint: taxRateBps === null ? 'Known once you are approved' : 'Deducted from each payout',
    },
  ];
}
