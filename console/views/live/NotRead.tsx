import { Button, Group, Text } from '@mantine/core';
import type { CombinedError } from 'urql';
import { Problem } from '../../pieces/Problem.tsx';
import { isSlow } from '../../pieces/problem.ts';

type NotReadProps = { readonly error: CombinedError; readonly onRetry: () => void };

/** What the reports did not answer. A slow report is asked again by itself. */
export function NotRead({ error, onRetry }: NotReadProps) {
  if (!isSlow(error)) return <Problem error={error} onRetry={onRetry} />;
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" role="status">
        Loading takes longer than usual. Trying again…
      </Text>
      <Button size="xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    </Group>
  );
}
