import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { inCount, inPlainWords } from '../../pieces/in-words.ts';
import { Fact } from './Fact.tsx';

/** Few enough to leave the rest of the card in sight. */
const REASONS_SHOWN = 4;

type RejectedReasonsProps = {
  readonly reasons: readonly { readonly code: string; readonly count: number }[];
  /** The text if there are no reasons. */
  readonly none: string;
};

/** The reasons of the last hour, each a link to its rejected events. */
export function RejectedReasons({ reasons, none }: RejectedReasonsProps) {
  const [isAll, setIsAll] = useState(false);
  if (reasons.length === 0) return <Fact label="Rejected in the last hour">{none}</Fact>;
  const shown = isAll ? reasons : reasons.slice(0, REASONS_SHOWN);
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        Rejected in the last hour, by reason
      </Text>
      {shown.map(({ code, count }) => (
        <Button
          key={code}
          component={Link}
          href={`/rejected?${new URLSearchParams({ range: 'hour', code })}`}
          title={code}
          variant="default"
          size="compact-sm"
          fullWidth
          justify="space-between"
          rightSection={inCount(count)}
        >
          {inPlainWords(code)}
        </Button>
      ))}
      {reasons.length > REASONS_SHOWN && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show ${inCount(reasons.length - REASONS_SHOWN)} more`}
        </Button>
      )}
    </Stack>
  );
}
