import { Button, Stack, Text } from '@mantine/core';
import { IconArrowsExchange, IconFileInvoice } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { isZero } from '../../../pieces/decimal.ts';
import { Money } from '../../../pieces/Money.tsx';
import { PartsOfWhole } from '../../../pieces/PartsOfWhole.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { ConvertForm } from './ConvertForm.tsx';
import { RedeemForm } from './RedeemForm.tsx';
import type { WalletData } from './wallet-query.ts';

type BalanceProps = { readonly data: WalletData };

export function CreditsCard({ data: { wallet, affiliateProfile } }: BalanceProps) {
  const [opened, setOpened] = useState<'redeem' | 'convert'>();
  const close = () => setOpened(undefined);
  const canSpend = useMay('OWNER') && !isZero(wallet.creditsBalance.amount);
  const canConvert = canSpend && affiliateProfile?.kycStatus === 'KYC_APPROVED';
  return (
    <Card
      title="Credits"
      actions={
        <>
          {canConvert && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconArrowsExchange size={15} />}
              onClick={() => setOpened('convert')}
            >
              Convert to cash
            </Button>
          )}
          {canSpend && (
            <Button
              size="xs"
              leftSection={<IconFileInvoice size={15} />}
              onClick={() => setOpened('redeem')}
            >
              Apply to invoice
            </Button>
          )}
        </>
      }
    >
      <Balance of={<Money of={wallet.creditsBalance} />}>
        available of <Money of={wallet.creditsEarned} /> earned
      </Balance>
      <PartsOfWhole
        parts={[
          { label: 'Available', of: wallet.creditsBalance, tone: 'brand' },
          { label: 'Held', of: wallet.creditsPending, tone: 'waiting' },
          { label: 'Applied to invoices', of: wallet.creditsRedeemed, tone: 'good' },
          { label: 'Converted to cash', of: wallet.creditsConverted, tone: 'quiet' },
        ]}
      />
      {!isZero(wallet.creditsReserved.amount) && (
        <Text size="xs" c="dimmed" mt="md">
          <Money of={wallet.creditsReserved} /> of the applied credits are reserved for invoices
          that are not registered yet.
        </Text>
      )}
      <Dialog opened={opened === 'redeem'} onClose={close} title="Apply credits to an invoice">
        <RedeemForm balance={wallet.creditsBalance} onDone={close} />
      </Dialog>
      <Dialog opened={opened === 'convert'} onClose={close} title="Convert credits to cash">
        <ConvertForm balance={wallet.creditsBalance} onDone={close} />
      </Dialog>
    </Card>
  );
}

export function CashCard({ data: { wallet } }: BalanceProps) {
  return (
    <Card
      title="Cash"
      actions={
        <Button component={Link} href="/partner/payouts" size="xs" variant="default">
          Payouts
        </Button>
      }
    >
      <Balance of={<Money of={wallet.cashBalance} />}>
        available of <Money of={wallet.cashEarned} /> earned in commissions
      </Balance>
      <PartsOfWhole
        parts={[
          { label: 'Available', of: wallet.cashBalance, tone: 'brand' },
          { label: 'In transit', of: wallet.cashInPayout, tone: 'waiting' },
          { label: 'Paid out', of: wallet.cashWithdrawn, tone: 'good' },
        ]}
      />
    </Card>
  );
}

function Balance({ of, children }: { readonly of: ReactNode; readonly children: ReactNode }) {
  return (
    <Stack gap={0} mb="md">
      <Text fz={{ base: 28, sm: 34 }} fw={680} lh={1.2} lts="-0.02em">
        {of}
      </Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Stack>
  );
}
