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
    <Alert color="yellow" variant="outline" icon={<IconReceiptRefund />} title="Balance due">
      Refunds and chargebacks exceeded the balance by <Money of={debt} fw={600} />. The next
      earnings repay it first.
    </Alert>
  );
}
