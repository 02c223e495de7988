import { Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import type { PlatformPayout } from './payout-steps.ts';

const ACCOUNT = graphql(`
  query PartnerReviewBankAccount($organizationId: ID!) {
    kycSubmissions(first: 1, organizationId: $organizationId, status: KYC_APPROVED) {
      nodes { bankAccountMasked bankIfsc bankAccountHolderName }
    }
  }
`);

/** What goes to which bank account, and what follows. */
export function SendToBank({ payouts }: { readonly payouts: readonly PlatformPayout[] }) {
  return (
    <Stack gap="sm">
      {payouts.map(payout => (
        <Transfer key={payout.id} payout={payout} />
      ))}
      <Text size="sm" c="dimmed">
        {payouts.length > 1 && 'If one is refused, none are sent. '}
        This can’t be undone. Once the bank has answered, mark{' '}
        {payouts.length === 1 ? 'the payout' : 'each payout'} as paid or failed. The cash of a
        failed payout returns to the partner’s wallet.
      </Text>
    </Stack>
  );
}

function Transfer({ payout }: { readonly payout: PlatformPayout }) {
  const { organizationId, organizationName, gross, tax, taxRateBps, net } = payout;
  const [{ data, error }] = useQuery({
    query: ACCOUNT,
    variables: { organizationId },
    // Another admin may have approved another account.
    requestPolicy: 'network-only',
  });
  const account = data && inWords(data.kycSubmissions.nodes[0]);
  return (
    <Text size="sm">
      <Text span inherit fw={600}>
        {organizationName}
      </Text>
      : <Money of={net} fw={600} /> to{' '}
      {account ?? (error === undefined ? '…' : 'an account that could not be read')}. Requested:{' '}
      <Money of={gross} />, less <Money of={tax} /> tax ({inPercent(taxRateBps / 10_000)}).
    </Text>
  );
}

type Account = ResultOf<typeof ACCOUNT>['kycSubmissions']['nodes'][number];

function inWords(account: Account | undefined): string {
  if (account === undefined) return 'no account: no identity is approved';
  const { bankAccountMasked, bankIfsc, bankAccountHolderName } = account;
  return `account ${bankAccountMasked} at ${bankIfsc}, ${bankAccountHolderName}`;
}
