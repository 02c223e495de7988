import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UseQueryState } from 'urql';
import { Loading } from './Loading.tsx';
import { Problem } from './Problem.tsx';
import { useLastError } from './use-last-error.ts';

type AskedProps<Data> = {
  /** As `useQuery` gives it. */
  readonly asked: readonly [
    UseQueryState<Data>,
    (options?: { requestPolicy: 'network-only' }) => void,
  ];
  readonly label: string;
  readonly children: (data: Data) => ReactNode;
};

/**
 * A query is loading, failed or has data. Keeps showing the previous data or error during a refetch. If
 * the refetch fails, urql drops the data, and only the error is shown; `useLastData` keeps it.
 */
export function Asked<Data>({ asked, label, children }: AskedProps<Data>) {
  const [state, ask] = asked;
  const { data, error, fetching } = useLastError(state);
  if (data === undefined && error === undefined && fetching) return <Loading label={label} />;
  return (
    <Stack gap="md" aria-busy={fetching}>
      {error && <Problem error={error} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {data !== undefined && data !== null && children(data)}
    </Stack>
  );
}
