import { Button, Grid, Group, Stack } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { Refusals } from '../../../pieces/Refusals.tsx';
import type { Range } from '../../../pieces/range/range.ts';
import { Corrections } from './Corrections.tsx';
import type { Change } from './change.ts';
import { DryRunResult } from './DryRunResult.tsx';
import { ReplayedEvents } from './ReplayedEvents.tsx';
import type { ReplayScope } from './replay-href.ts';
import type { ReplayableReason } from './replay-query.ts';
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
    // After the faults are marked.
    requestAnimationFrame(() => requestAnimationFrame(focusFirstFault));
  };
  return (
    <Grid component="form" gap="lg" onSubmit={submit}>
      <Grid.Col span={EVENTS_WIDTH}>
        <ReplayedEvents scope={scope} reasons={reasons} onChoose={choose} />
      </Grid.Col>
      <Grid.Col span={CORRECTIONS_WIDTH}>
        <Stack gap="lg">
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
      </Grid.Col>
    </Grid>
  );
}

/** The events stand beside their corrections; on a narrow screen, above them. */
const EVENTS_WIDTH = { base: 12, md: 5 };
const CORRECTIONS_WIDTH = { base: 12, md: 7 };

function focusFirstFault(): void {
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}
