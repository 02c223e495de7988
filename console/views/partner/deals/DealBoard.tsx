import './deal-board.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { useLocation, useParams } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { type Figure, Figures } from '../../../pieces/Figures.tsx';
import { inCount, inPercent } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { BoardDrag } from './BoardDrag.tsx';
import { BOARD_COLUMNS } from './board-columns.ts';
import { DealColumn } from './DealColumn.tsx';
import { DealDrawer } from './DealDrawer.tsx';
import { DealForm } from './DealForm.tsx';
import { DASHBOARD, type Dashboard, DEALS_CONTEXT, type DealStatus } from './deals-query.ts';

/** The deals by status. Dragging a card to a column performs the action of its menu that leads there. */
export function DealBoard() {
  const asked = useQuery({ query: DASHBOARD, context: DEALS_CONTEXT });
  const [isRegistering, setIsRegistering] = useState(false);
  const isOwner = useMay('OWNER');
  const [, go] = useLocation();
  const { id } = useParams<{ id?: string }>();
  const register = isOwner && (
    <Button leftSection={<IconPlus size={17} />} onClick={() => setIsRegistering(true)}>
      Register deal
    </Button>
  );
  return (
    <>
      <Asked asked={asked} label="Loading deals">
        {({ agencyDashboard: dashboard }) =>
          dashboard && (
            <Stack gap="lg">
              <Figures label="Deal totals" figures={figuresOf(dashboard)} />
              <Group justify="space-between">
                <Text size="sm" c="dimmed" maw={560}>
                  A registered prospect is exclusive to you for 90 days. Submit a proof of your work
                  within the first 14 days.
                </Text>
                {register}
              </Group>
              <Columns counts={dashboard.dealCounts} />
            </Stack>
          )
        }
      </Asked>
      <Dialog opened={isRegistering} onClose={() => setIsRegistering(false)} title="Register deal">
        <DealForm
          currency={asked[0].data?.agencyDashboard?.estimatedValue.currencyCode ?? 'INR'}
          onDone={() => setIsRegistering(false)}
        />
      </Dialog>
      <DealDrawer id={id} onClose={() => go('/partner/deals')} />
    </>
  );
}

function Columns({ counts }: { readonly counts: Dashboard['dealCounts'] }) {
  const byStatus: Record<DealStatus, number> = {
    REGISTERED: counts.registered,
    PROOF_SUBMITTED: counts.proofSubmitted,
    WON: counts.won,
    LOST: counts.lost,
    EXPIRED: counts.expired,
    WITHDRAWN: counts.withdrawn,
  };
  return (
    <BoardDrag>
      {BOARD_COLUMNS.map(column => (
        <DealColumn key={column.title} {...column} counts={byStatus} />
      ))}
    </BoardDrag>
  );
}

function figuresOf({ dealCounts, estimatedValue, actualValue, winRate }: Dashboard): Figure[] {
  const { registered, proofSubmitted, won, lost } = dealCounts;
  const isDecided = won + lost > 0;
  return [
    {
      label: 'Open deals',
      value: inCount(registered + proofSubmitted),
      hint: registered === 0 ? 'All with proof' : `${inCount(registered)} without proof yet`,
    },
    {
      label: 'Pipeline value',
      value: <Money of={estimatedValue} />,
      hint: 'Your estimates',
    },
    {
      label: 'Won',
      value: <Money of={actualValue} />,
      hint: won === 1 ? '1 deal' : `${inCount(won)} deals`,
    },
    {
      label: 'Win rate',
      value: isDecided ? inPercent(winRate) : '–',
      hint: isDecided ? `${inCount(won)} of ${inCount(won + lost)} decided` : 'None decided yet',
    },
  ];
}
