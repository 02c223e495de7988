import { Button, Group, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Card } from '../../pieces/Card.tsx';
import { STANDING } from '../../pieces/standing-query.ts';

/** Agencies that also have a workspace go on to their deals from here. */
export function PartnerCard() {
  const [{ data }] = useQuery({ query: STANDING });
  if (data?.referralProgram.partnerStatus !== 'AGENCY') return null;
  return (
    <Card title="Partner program">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Your organization is an agency: deals, earnings and payouts are there.
        </Text>
        <Group gap="xs">
          <Button component={Link} href="/partner/deals" variant="default" size="xs">
            Deals
          </Button>
          <Button component={Link} href="/partner" variant="default" size="xs">
            Overview
          </Button>
        </Group>
      </Group>
    </Card>
  );
}
