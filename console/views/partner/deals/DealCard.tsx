import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Money } from '../../../pieces/Money.tsx';
import { DealClock } from './DealClock.tsx';
import { DealMenu } from './DealMenu.tsx';
import type { Deal } from './deals-query.ts';
import { useCardDrag } from './use-card-drag.ts';

export function DealCard({ deal }: { readonly deal: Deal }) {
  const { id, prospectCompanyName, prospectDomain, estimatedDealValue, actualDealValue } = deal;
  const { card, onKeyDown } = useCardDrag(deal);
  return (
    <Box component="article" className="card deal-card" {...card}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
        <Anchor
          component={Link}
          href={`/partner/deals/${id}`}
          // Dragging it drags the card.
          draggable={false}
          aria-keyshortcuts="ArrowLeft ArrowRight"
          onKeyDown={onKeyDown}
          underline="hover"
          c="inherit"
          fw={600}
          size="sm"
          style={{ overflowWrap: 'anywhere', paddingBlock: 3 }}
        >
          {prospectCompanyName}
        </Anchor>
        <DealMenu deal={deal} />
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {prospectDomain}
      </Text>
      <Text size="sm" fw={600} mt={6}>
        <Money of={actualDealValue ?? estimatedDealValue} />
      </Text>
      <DealClock deal={deal} />
    </Box>
  );
}
