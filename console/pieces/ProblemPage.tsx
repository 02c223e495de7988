import { Button, Center, Stack } from '@mantine/core';
import type { CombinedError } from 'urql';
import { Problem } from './Problem.tsx';
import { problemOf, TOKEN_REFUSED } from './problem.ts';

type ProblemPageProps = {
  readonly error: CombinedError;
  readonly onRetry: () => void;
  readonly onSignOut: () => void;
};

export function ProblemPage({ error, onRetry, onSignOut }: ProblemPageProps) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack maw={460} w="100%">
        <Problem error={error} onRetry={onRetry} />
        {problemOf(error).code !== TOKEN_REFUSED && (
          <Button variant="default" onClick={onSignOut}>
            Use another access token
          </Button>
        )}
      </Stack>
    </Center>
  );
}
