import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconArrowUpRight } from '@tabler/icons-react';
import { Link } from 'wouter';
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

type StandingProps = {
  readonly program: Overview['referralProgram'];
  readonly profile: Overview['affiliateProfile'];
};

/** What the organisation is in the program, and what is missing to be more. */
export function Standing({ program, profile }: StandingProps) {
  const { partnerStatus } = program;
  return (
    <Card
      title="Your standing"
      actions={<State name={partnerStatus} tone={partnerStatus === 'USER' ? 'quiet' : 'good'} />}
    >
      {partnerStatus === 'USER' && profile === null ? (
        <WayUp program={program} />
      ) : (
        <Stack gap="md" align="flex-start">
          <Text size="sm" c="dimmed">
            {WORDS[partnerStatus]}
          </Text>
          <Button component={Link} href="/partner/payouts" variant="default">
            See the payouts
          </Button>
        </Stack>
      )}
    </Card>
  );
}

const WORDS = {
  USER: 'You are on the way to become an affiliate: once your identity is approved, you earn cash.',
  AFFILIATE: 'You earn cash of every payment of your referrals.',
  AGENCY:
    'You earn cash of every payment of your referrals, and register deals that are yours alone for 90 days.',
} as const;

function WayUp({ program }: { readonly program: Overview['referralProgram'] }) {
  const { activeReferralsCount: active, upgradeThreshold, isUpgradeEligible, terms } = program;
  const isOwner = useMay('OWNER');
  const { run, isRunning } = useAction(UPGRADE, {
    done: 'You have a profile. Now say who you are.',
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Affiliates earn {inPercent(terms.commissionRateBps / 10_000)} of every payment in cash. It
        takes {inCount(upgradeThreshold)} referrals that pay.
      </Text>
      <div>
        <Group justify="space-between" mb={6}>
          <Text size="sm" fw={600}>
            {inCount(active)} of {inCount(upgradeThreshold)}
          </Text>
          <Text size="sm" c="dimmed">
            {isUpgradeEligible ? 'Enough' : `${inCount(upgradeThreshold - active)} to go`}
          </Text>
        </Group>
        <Progress
          value={(Math.min(active, upgradeThreshold) / upgradeThreshold) * 100}
          size="lg"
          aria-label="Referrals that pay, of those it takes"
        />
      </div>
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
