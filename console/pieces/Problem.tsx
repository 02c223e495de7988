import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { CombinedError } from 'urql';
import { problemOf } from './problem.ts';

type ProblemProps = { readonly error: CombinedError; readonly onRetry?: () => void };

/** In the place of what could not be shown. */
export function Problem({ error, onRetry }: ProblemProps) {
  const { title, detail, code, requestId } = problemOf(error);
  return (
    <Alert role="alert" color="red" variant="outline" icon={<IconAlertTriangle />} title={title}>
      <Text size="sm">{detail}</Text>
      <Group mt="sm" gap="sm">
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        {code !== undefined && <Code>{code}</Code>}
        {requestId !== undefined && <Code>request {requestId}</Code>}
      </Group>
    </Alert>
  );
}
