import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { Refusals } from '../../../pieces/Refusals.tsx';
import type { Refusal } from '../../../pieces/use-action.tsx';
import type { PlatformPayout } from './payout-steps.ts';

const ACCOUNT = graphql(`
  query PartnerReviewBankAccount($organizationId: ID!) {
    kycSubmissions(first: 1, organizationId: $organizationId, status: KYC_APPROVED) {
      nodes { bankAccountMasked bankIfsc bankAccountHolderName }
    }
  }
`);

type SendToBankProps = {
  readonly payouts: readonly PlatformPayout[];
  /** The label of the action. */
  readonly confirm: string;
  readonly isRunning: boolean;
  readonly refusals: readonly Refusal[];
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
};

/** What goes to which bank account, and what follows. It can be confirmed once all accounts are read. */
export function SendToBank(props: SendToBankProps) {
  const { payouts, confirm, isRunning, refusals, onConfirm, onCancel } = props;
  const accounts = useAccounts(payouts);
  return (
    <Stack gap="sm">
      <Refusals refusals={refusals} />
      {payouts.map(payout => (
        <Transfer key={payout.id} payout={payout} account={accounts?.get(payout.organizationId)} />
      ))}
      <Text size="sm" c="dimmed">
        {payouts.length > 1 && 'If one is refused, none are sent. '}
        This can’t be undone. Once the bank has answered, mark{' '}
        {payouts.length === 1 ? 'the payout' : 'each payout'} as paid or failed. The cash of a
        failed payout returns to the partner’s wallet.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onCancel}>
          Cancel
        </Button>
        <Button loading={isRunning} disabled={accounts === undefined} onClick={onConfirm}>
          {confirm}
        </Button>
      </Group>
    </Stack>
  );
}

type Accounts = ReadonlyMap<string, string>;

/** In words, by organization. Undefined until each is read, or is known to be unreadable. */
function useAccounts(payouts: readonly PlatformPayout[]): Accounts | undefined {
  const client = useClient();
  const [accounts, setAccounts] = useState<Accounts>();
  useEffect(() => {
    const read = async (organizationId: string) => {
      // Another admin may have approved another account.
      const policy = { requestPolicy: 'network-only' } as const;
      const { data } = await client.query(ACCOUNT, { organizationId }, policy).toPromise();
      const account = data && inWords(data.kycSubmissions.nodes[0]);
      return [organizationId, account ?? 'an account that could not be read'] as const;
    };
    const organizations = new Set(payouts.map(({ organizationId }) => organizationId));
    void Promise.all([...organizations].map(read)).then(found => setAccounts(new Map(found)));
  }, [client, payouts]);
  return accounts;
}

type TransferProps = { readonly payout: PlatformPayout; readonly account: string | undefined };

function Transfer({ payout, account = 'an account that is being read' }: TransferProps) {
  const { organizationName, gross, tax, taxRateBps, net } = payout;
  return (
    <Text size="sm">
      <Text span inherit fw={600}>
        {organizationName}
      </Text>
      : <Money of={net} fw={600} /> to {account}. Requested: <Money of={gross} />, less{' '}
      <Money of={tax} /> tax ({inPercent(taxRateBps / 10_000)}).
    </Text>
  );
}

type Account = ResultOf<typeof ACCOUNT>['kycSubmissions']['nodes'][number];

function inWords(account: Account | undefined): string {
  if (account === undefined) return 'no account: no identity is approved';
  const { bankAccountMasked, bankIfsc, bankAccountHolderName } = account;
  return `account ${bankAccountMasked} at ${bankIfsc}, ${bankAccountHolderName}`;
}
