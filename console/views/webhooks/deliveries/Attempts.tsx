import { Box, Group, Stack, Text } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { State } from '../../../pieces/State.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { OUTCOMES } from '../endpoint-words.ts';
import type { Attempt } from './deliveries-query.ts';
import { inSentence } from './in-sentence.ts';

type AttemptsProps = { readonly attempts: readonly Attempt[]; readonly count: number };

export function Attempts({ attempts, count }: AttemptsProps) {
  const slowestMs = Math.max(1, ...attempts.map(({ latencyMs }) => latencyMs));
  const columns: readonly Column<Attempt>[] = [
    { title: 'Attempt', cell: ({ number }) => inCount(number) },
    {
      title: 'Result',
      cell: attempt => (
        <Stack gap={2} align="flex-start">
          <State
            name={attempt.outcome}
            label={OUTCOMES[attempt.outcome]}
            tone={attempt.outcome === 'DELIVERED' ? 'good' : 'bad'}
          />
          {attempt.outcome !== 'DELIVERED' && (
            <Text size="xs" c="dimmed">
              {inSentence(attempt)}
            </Text>
          )}
        </Stack>
      ),
    },
    { title: 'HTTP', cell: ({ status }) => status ?? '–' },
    {
      title: 'Duration',
      isWide: true,
      cell: ({ latencyMs }) => <Took ms={latencyMs} of={slowestMs} />,
    },
    { title: 'Trigger', isWide: true, cell: ({ cause }) => CAUSES[cause] },
    { title: 'Time', cell: ({ attemptedAt }) => <When at={attemptedAt} isRelative /> },
  ];
  return (
    <Card title={count === 1 ? '1 attempt' : `${inCount(count)} attempts`} isFlush>
      {attempts.length === 0 ? (
        <Empty title="No attempts yet">The first attempt is made within a second.</Empty>
      ) : (
        <Table
          label="Attempts"
          rows={attempts}
          keyOf={({ number }) => String(number)}
          columns={columns}
        />
      )}
    </Card>
  );
}

const CAUSES: Record<Attempt['cause'], string> = {
  SCHEDULED: 'Scheduled',
  REPLAY: 'Resent',
  TEST: 'Test',
};

/** A number, and a bar beside it to compare them by. */
function Took({ ms, of }: { readonly ms: number; readonly of: number }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        {inCount(ms)} ms
      </Text>
      <Box w={64} visibleFrom="sm" aria-hidden>
        <Box
          h={6}
          bdrs={3}
          bg="light-dark(#96abff, #4863e6)"
          w={`${Math.max(3, (ms / of) * 100)}%`}
        />
      </Box>
    </Group>
  );
}
