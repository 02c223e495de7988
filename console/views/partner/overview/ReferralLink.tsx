import { Stack, Text } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { inPercent } from '../../../pieces/in-words.ts';
import type { Overview } from './overview-query.ts';
import { ShareTexts } from './ShareTexts.tsx';

type ReferralLinkProps = { readonly program: Overview['referralProgram'] };

export function ReferralLink({ program }: ReferralLinkProps) {
  const link = `${location.origin}/refer/${program.code}`;
  return (
    <Card title="Your referral link">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {promiseOf(program)}
        </Text>
        <CopyField label="Link to share" value={link} />
        <Text size="sm" c="dimmed">
          Anyone who signs up with this link is attributed to you permanently. If someone has
          several links, the first one counts.
        </Text>
        <ShareTexts link={link} />
      </Stack>
    </Card>
  );
}

const share = (rateBps: number) => inPercent(rateBps / 10_000);

function promiseOf({ partnerStatus, terms }: Overview['referralProgram']): string {
  if (partnerStatus === 'USER')
    return `You earn ${share(terms.creditRateBps)} of a referral’s first payment as credits, available after ${terms.holdDays} days.`;
  return `You earn ${share(terms.commissionRateBps)} of a referral’s payments in its first ${terms.commissionMonths} months, as cash that can be paid out after ${terms.commissionAgeDays} days.`;
}
