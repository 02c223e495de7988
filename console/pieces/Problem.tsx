import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { CombinedError } from 'urql';
import { useSession } from '../session/SessionProvider.tsx';
import { problemOf, TOKEN_REFUSED, useRetry } from './problem.ts';

type ProblemProps = { readonly error: CombinedError; readonly onRetry?: () => void };

/**
 * An error in place of the content. A token can expire at any time; after signing in again, the
 * viewer returns to the same page. While reports are not available, the query is repeated by itself.
 */
export function Problem({ error, onRetry }: ProblemProps) {
  const { title, detail, code, requestId } = problemOf(error, onRetry !== undefined);
  const { session, signOut } = useSession();
  const [retried, setRetried] = useState<CombinedError>();
  const retry = () => {
    setRetried(error);
    onRetry?.();
  };
  useRetry(error, onRetry && retry);
  return (
    <Alert role="alert" color="red" variant="outline" icon={<IconAlertTriangle />} title={title}>
      <Text size="sm">{detail}</Text>
      <Group mt="sm" gap="sm">
        {code === TOKEN_REFUSED ? (
          <Button size="xs" variant="default" onClick={signOut}>
            {session?.grant === undefined ? 'Use another access token' : 'Sign in again'}
          </Button>
        ) : (
          onRetry && (
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          )
        )}
        {/* Not announced each time that the page retries by itself. */}
        {retried === error && (
          <Text size="sm" c="dimmed" aria-live="off">
            Trying again…
          </Text>
        )}
      </Group>
      {code !== undefined && (
        <Text size="xs" c="dimmed" mt="xs" className="mono" style={{ overflowWrap: 'anywhere' }}>
          {code}
          {requestId !== undefined && `, request ${requestId}`}
        </Text>
      )}
    </Alert>
  );
}
