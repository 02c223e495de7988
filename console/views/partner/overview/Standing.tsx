import { Button, Group, Progress, Stack, Text, Timeline } from '@mantine/core';
import { IconArrowUpRight, IconCheck } from '@tabler/icons-react';
import { graphql } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { inCount, inPercent } from '../../../pieces/in-words.ts';
import { State } from '../../../pieces/State.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Overview } from './overview-query.ts';

const UPGRADE = graphql(`
  mutation PartnerUpgrade {
    affiliateUpgrade { affiliateProfile { kycStatus partnerStatus } userErrors { message field } }
  }
`);

type Program = Overview['referralProgram'];
type Status = Program['partnerStatus'];

type StandingProps = {
  readonly program: Program;
  readonly profile: Overview['affiliateProfile'];
};

const LADDER: readonly Status[] = ['USER', 'AFFILIATE', 'AGENCY'];
const TITLES: Record<Status, string> = { USER: 'User', AFFILIATE: 'Affiliate', AGENCY: 'Agency' };

/** The organization's status in the program, and the requirements for the next one. */
export function Standing({ program, profile }: StandingProps) {
  const reached = LADDER.indexOf(program.partnerStatus);
  const isOnItsWay = program.partnerStatus === 'USER' && profile === null;
  return (
    <Card title="Your level">
      <Timeline active={reached} bulletSize={22} lineWidth={2}>
        {LADDER.map((status, at) => (
          <Timeline.Item
            key={status}
            bullet={at <= reached && <IconCheck size={13} stroke={2.6} aria-hidden />}
            title={
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  {TITLES[status]}
                </Text>
                {at === reached && <State name="HERE" label="Current level" tone="good" />}
              </Group>
            }
          >
            <Text size="sm" c="dimmed">
              {promiseOf(status, program)}
            </Text>
            {status === 'AFFILIATE' && isOnItsWay && <WayUp program={program} />}
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  );
}

function promiseOf(status: Status, { terms, upgradeThreshold }: Program): string {
  const share = (rateBps: number) => inPercent(rateBps / 10_000);
  switch (status) {
    case 'USER':
      return `${share(terms.creditRateBps)} of a referral’s first payment, as credits.`;
    case 'AFFILIATE':
      return `${share(terms.commissionRateBps)} of all payments for ${terms.commissionMonths} months, in cash. Requires ${inCount(upgradeThreshold)} paying referrals.`;
    case 'AGENCY':
      return 'Everything in Affiliate, plus deals that are exclusive to you for 90 days. Requires a reseller agreement.';
  }
}

function WayUp({ program }: { readonly program: Program }) {
  const { activeReferralsCount: active, upgradeThreshold, isUpgradeEligible } = program;
  const isOwner = useMay('OWNER');
  const { run, isRunning } = useAction(UPGRADE, {
    done: 'You are now an affiliate. Next, submit your identity and bank details.',
  });
  return (
    <Stack gap="xs" mt="xs" align="flex-start">
      <Progress
        w="100%"
        value={(Math.min(active, upgradeThreshold) / upgradeThreshold) * 100}
        size="md"
        aria-label="Progress to affiliate"
      />
      <Text size="sm" fw={600}>
        {isUpgradeEligible
          ? `${inCount(active)} paying referrals: requirement met`
          : `${inCount(active)} of ${inCount(upgradeThreshold)} paying referrals`}
      </Text>
      {isUpgradeEligible && isOwner && (
        <Button
          leftSection={<IconArrowUpRight size={17} />}
          loading={isRunning}
          onClick={() => void run({})}
        >
          Become an affiliate
        </Button>
      )}
    </Stack>
  );
}
