import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UseQueryState } from 'urql';
import { Asked } from '../../pieces/Asked.tsx';
import { Loading } from '../../pieces/Loading.tsx';
import { isSlow, problemOf } from '../../pieces/problem.ts';
import { useLastError } from '../../pieces/use-last-error.ts';

type ReportProps<Data> = {
  readonly asked: readonly [
    UseQueryState<Data>,
    (options?: { requestPolicy: 'network-only' }) => void,
  ];
  readonly children: (data: Data) => ReactNode;
};

const LABEL = 'Loading the report';

/** What the form can change, in its words. */
const REFUSALS: Readonly<Record<string, string>> = {
  REPORT_TOO_LARGE:
    'The report would be too large. Choose a shorter time range, longer intervals, or fewer events and filters.',
  INVALID_RANGE: 'The time range is too long for these intervals. Choose a shorter one.',
};

/** The answer to the form above it. */
export function Report<Data>({ asked, children }: ReportProps<Data>) {
  const state = useLastError(asked[0]);
  const { error, fetching } = state;
  const refusal = isSlow(error) ? undefined : error && REFUSALS[problemOf(error).code ?? ''];
  if (refusal !== undefined && fetching) return <Loading label={LABEL} />;
  if (refusal !== undefined)
    return (
      <Alert role="alert" color="red" variant="outline" title="This report can’t be shown">
        <Text size="sm">{refusal}</Text>
      </Alert>
    );
  return (
    <Asked asked={[state, asked[1]]} label={LABEL}>
      {children}
    </Asked>
  );
}
