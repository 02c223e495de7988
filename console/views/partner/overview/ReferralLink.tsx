import { Stack, Text } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { inPercent } from '../../../pieces/in-words.ts';
import type { Overview } from './overview-query.ts';

type ReferralLinkProps = { readonly program: Overview['referralProgram'] };

export function ReferralLink({ program }: ReferralLinkProps) {
  return (
    <Card title="Your referral link">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {promiseOf(program)}
        </Text>
        <CopyField label="Link to share" value={`${location.origin}/refer/${program.code}`} />
        <Text size="sm" c="dimmed">
          Whoever follows it and signs up is yours: the first code counts, for ever.
        </Text>
      </Stack>
    </Card>
  );
}

const share = (rateBps: number) => inPercent(rateBps / 10_000);

function promiseOf({ partnerStatus, terms }: Overview['referralProgram']): string {
  if (partnerStatus === 'USER')
    return `You earn ${share(terms.creditRateBps)} of a referral’s first payment as credits, which are yours after ${terms.holdDays} days.`;
  return `You earn ${share(terms.commissionRateBps)} of all that a referral pays in its first ${terms.commissionMonths} months, in cash that may be paid out after ${terms.commissionAgeDays} days.`;
}
