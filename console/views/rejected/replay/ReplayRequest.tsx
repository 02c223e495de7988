import { Button, Group, Stack } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { Refusals } from '../../../pieces/Refusals.tsx';
import type { Range } from '../../../pieces/range/range.ts';
import { Corrections } from './Corrections.tsx';
import type { Change } from './change.ts';
import { DryRunResult } from './DryRunResult.tsx';
import { ReasonChoice } from './ReasonChoice.tsx';
import type { ReplayScope } from './replay-href.ts';
import type { ReplayableReason } from './replay-query.ts';
import { ScopeCard } from './ScopeCard.tsx';
import { suggestChanges } from './suggest-change.ts';
import { useChosenReasons } from './use-chosen-reasons.ts';
import { useRejections } from './use-rejections.ts';
import { useReplayRequest } from './use-replay-request.ts';

type ReplayRequestProps = { readonly range: Range; readonly reasons: readonly ReplayableReason[] };

export function ReplayRequest({ range, reasons }: ReplayRequestProps) {
  const { choose, ...chosen } = useChosenReasons(reasons);
  const scope: ReplayScope = { range, ...chosen };
  const request = useReplayRequest(scope);
  const { changes, change, report, action } = request;
  const rejections = useRejections(scope, reasons);
  const again = report?.samples ?? [];
  const newOf = (offers: readonly Change[]) =>
    offers.filter(({ path }) => !changes.some(one => one.path === path));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void request.dryRun();
  };
  return (
    <Stack component="form" gap="lg" onSubmit={submit}>
      {scope.group === undefined && scope.hash === undefined ? (
        <ReasonChoice range={range} reasons={reasons} chosen={scope.codes} onChange={choose} />
      ) : (
        <ScopeCard scope={scope} />
      )}
      <Corrections
        changes={changes}
        offers={newOf(suggestChanges([...rejections, ...again]))}
        showsFaults={request.showsFaults}
        onChange={change}
      />
      <Refusals refusals={action.refusals} />
      <Group>
        <Button
          type="submit"
          variant={report ? 'default' : 'filled'}
          loading={action.isRunning}
          disabled={scope.codes.length === 0}
        >
          Dry run
        </Button>
      </Group>
      <DryRunResult
        report={report}
        dryRun={request.tried}
        isCorrected={changes.length > 0}
        offers={newOf(suggestChanges(again))}
        isRunning={action.isRunning}
        onAdd={added => change([...changes, added])}
        onReplay={request.replay}
      />
    </Stack>
  );
}
