import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import type { CombinedError } from 'urql';
import { useSession } from '../session/SessionProvider.tsx';
import { isTemporary, problemOf, TEMPORARY_RETRY_MS, TOKEN_REFUSED } from './problem.ts';

type ProblemProps = { readonly error: CombinedError; readonly onRetry?: () => void };

/**
 * An error in place of the content. A token can expire at any time; after signing in again, the
 * viewer returns to the same page. While reports are not available, the query is repeated by itself.
 */
export function Problem({ error, onRetry }: ProblemProps) {
  const { title, detail, code, requestId } = problemOf(error);
  const { session, signOut } = useSession();
  const retry = useEffectEvent(() => onRetry?.());
  const isRetried = isTemporary(error);
  useEffect(() => {
    if (!isRetried) return undefined;
    const timer = setInterval(() => retry(), TEMPORARY_RETRY_MS);
    return () => clearInterval(timer);
  }, [isRetried]);
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
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          )
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
