import { Alert } from '@mantine/core';
import { IconReceiptRefund } from '@tabler/icons-react';
import { isZero } from '../../pieces/decimal.ts';
import { Money } from '../../pieces/Money.tsx';

type DebtNoticeProps = {
  readonly debt: { readonly amount: string; readonly currencyCode: string };
};

export function DebtNotice({ debt }: DebtNoticeProps) {
  if (isZero(debt.amount)) return null;
  return (
    <Alert color="yellow" variant="outline" icon={<IconReceiptRefund />} title="Something is owed">
      Refunds and chargebacks took back <Money of={debt} fw={600} /> more than was left. What comes
      in next repays it first.
    </Alert>
  );
}
