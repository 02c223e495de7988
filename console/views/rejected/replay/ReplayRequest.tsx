import { Button, Group, Stack, Text } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { confirm } from '../../../pieces/confirm.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import type { Range } from '../../../pieces/range/range.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { REJECTED } from '../rejected-paths.ts';
import { Corrections } from './Corrections.tsx';
import { type Change, correctionOf, faultsOf } from './change.ts';
import { ReasonChoice } from './ReasonChoice.tsx';
import { ReportCard } from './ReportCard.tsx';
import { REPLAY, REPLAY_EVENTS_MAX, type ReplayableReason, type Report } from './replay-query.ts';
import { suggestChange } from './suggest-change.ts';
import { useChosenReasons } from './use-chosen-reasons.ts';

type ReplayRequestProps = { readonly range: Range; readonly reasons: readonly ReplayableReason[] };

/** The result of a dry run holds only for the same input. */
type Tried = { readonly input: string; readonly report: Report };

export function ReplayRequest({ range, reasons }: ReplayRequestProps) {
  const { codes, choose } = useChosenReasons(reasons);
  const [changes, setChanges, forgetChanges] = useChanges(range);
  const [showsFaults, setShowsFaults] = useState(false);
  const [tried, setTried] = useState<Tried>();
  const [, navigate] = useLocation();
  const action = useAction(REPLAY, { isFormShowing: true, changes: ['RejectedEventsReplay'] });
  const isFaulty = changes.some(change => Object.keys(faultsOf(change)).length > 0);
  const input = isFaulty ? undefined : inputOf(range, codes, changes);
  const text = JSON.stringify(input);
  // Input with faults has no text, and no result either.
  const report = input !== undefined && tried?.input === text ? tried?.report : undefined;
  const dryRun = async () => {
    setShowsFaults(true);
    if (input === undefined) return;
    const done = await action.run({ input: { ...input, dryRun: true } });
    const found = done?.rejectedEventsReplay?.dryRun;
    if (found) setTried({ input: text, report: found });
  };
  const replay = async () => {
    const done = input && (await action.run({ input }));
    const id = done?.rejectedEventsReplay?.replay?.id;
    if (id === undefined) return;
    forgetChanges();
    navigate(REJECTED.replayed(id));
  };
  const change = (next: Change[]) => {
    setChanges(next);
    action.forget();
  };
  const isChosen = codes.length > 0;
  return (
    <Stack gap="lg">
      <ReasonChoice range={range} reasons={reasons} chosen={codes} onChange={choose} />
      <Corrections
        changes={changes}
        suggested={suggestionsOf(reasons, codes)}
        showsFaults={showsFaults}
        onChange={change}
      />
      <Refusals refusals={action.refusals} />
      {report && <ReportCard title="Result of the dry run" report={report} />}
      {report && <Text size="sm">{hintOf(report)}</Text>}
      <Group>
        <Button
          variant={report ? 'default' : 'filled'}
          loading={action.isRunning}
          disabled={!isChosen}
          onClick={() => void dryRun()}
        >
          Dry run
        </Button>
        {report && isWorthwhile(report) && (
          <Button disabled={action.isRunning} onClick={() => confirmReplay(report, replay)}>
            Replay {eventsInWords(report.found)}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Kept in this tab until the replay is requested, so that nothing typed is lost. */
function useChanges({ from, to }: Range) {
  return useSessionStorage<Change[]>({
    key: `replay ${from} ${to}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
}

function inputOf({ from, to }: Range, codes: readonly string[], changes: readonly Change[]) {
  return {
    codes: [...codes],
    since: from,
    until: to,
    limit: REPLAY_EVENTS_MAX,
    correction: correctionOf(changes),
  };
}

function suggestionsOf(reasons: readonly ReplayableReason[], codes: readonly string[]): Change[] {
  const suggested = reasons
    .filter(({ code }) => codes.includes(code))
    .flatMap(({ code, samples }) => samples.map(({ message }) => suggestChange({ code, message })))
    .filter(change => change !== undefined);
  return [...new Map(suggested.map(change => [change.path, change])).values()];
}

/** Whether some of the events would be accepted, or were not tried. */
function isWorthwhile({ accepted, found, tried }: Report): boolean {
  return accepted > 0 || found > tried;
}

function hintOf(report: Report): string {
  if (!isWorthwhile(report)) return 'None of these events would be accepted. Correct them first.';
  const { found, tried } = report;
  return found > tried ? `A dry run tries only the earliest ${inCount(tried)} events.` : '';
}

function confirmReplay({ found, refused }: Report, onConfirm: () => Promise<void>): void {
  confirm({
    title: `Replay ${eventsInWords(found)}?`,
    children:
      refused.length === 0
        ? 'Accepted events are stored like all others and can start journeys. This cannot be undone.'
        : 'Accepted events are stored like all others and can start journeys. This cannot be undone. Events that are rejected again stay here.',
    confirm: 'Replay',
    onConfirm: () => void onConfirm(),
  });
}

function eventsInWords(count: number): string {
  return count === 1 ? '1 event' : `${inCount(count)} events`;
}
