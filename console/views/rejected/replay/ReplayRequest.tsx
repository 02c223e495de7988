import { Button, Group, Stack, Text } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
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
import type { ReplayScope } from './replay-href.ts';
import { REPLAY, REPLAY_EVENTS_MAX, type ReplayableReason, type Report } from './replay-query.ts';
import { ScopeCard } from './ScopeCard.tsx';
import { suggestChange } from './suggest-change.ts';
import { useChosenReasons } from './use-chosen-reasons.ts';

type ReplayRequestProps = { readonly range: Range; readonly reasons: readonly ReplayableReason[] };

/** The result of a dry run holds only for the same input. */
type Tried = { readonly input: string; readonly report: Report };

export function ReplayRequest({ range, reasons }: ReplayRequestProps) {
  const { choose, ...chosen } = useChosenReasons(reasons);
  const scope: ReplayScope = { range, ...chosen };
  const [changes, setChanges, forgetChanges] = useChanges(scope);
  const [showsFaults, setShowsFaults] = useState(false);
  const [tried, setTried] = useState<Tried>();
  const isChosen = scope.codes.length > 0;
  const [, navigate] = useLocation();
  const action = useAction(REPLAY, { isFormShowing: true, changes: ['RejectedEventsReplay'] });
  const isFaulty = changes.some(change => Object.keys(faultsOf(change)).length > 0);
  const input = isFaulty ? undefined : inputOf(scope, changes);
  const text = JSON.stringify(input);
  // Input with faults has no text, and no result either.
  const report = input !== undefined && tried?.input === text ? tried?.report : undefined;
  const dryRun = async (event: SubmitEvent) => {
    event.preventDefault();
    setShowsFaults(true);
    if (input === undefined || !isChosen || action.isRunning) return;
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
  return (
    <Stack component="form" gap="lg" onSubmit={event => void dryRun(event)}>
      {scope.group === undefined && scope.hash === undefined ? (
        <ReasonChoice range={range} reasons={reasons} chosen={scope.codes} onChange={choose} />
      ) : (
        <ScopeCard scope={scope} />
      )}
      <Corrections
        changes={changes}
        suggested={suggestionsOf(reasons, scope.codes)}
        showsFaults={showsFaults}
        onChange={change}
      />
      <Refusals refusals={action.refusals} />
      <Result report={report} dryRun={tried} />
      <Group>
        <Button
          type="submit"
          variant={report ? 'default' : 'filled'}
          loading={action.isRunning}
          disabled={!isChosen}
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

type ResultProps = {
  readonly report: Report | undefined;
  /** Another object after each dry run. */
  readonly dryRun: object | undefined;
};

/** The result of a dry run may be below the screen: focus moves to it. */
function Result({ report, dryRun }: ResultProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (dryRun !== undefined) box.current?.focus();
  }, [dryRun]);
  return (
    <div ref={box} role="status" tabIndex={-1} aria-label="Result of the dry run">
      {report && (
        <Stack gap="lg">
          <ReportCard title="Result of the dry run" report={report} />
          <Text size="sm">{hintOf(report)}</Text>
        </Stack>
      )}
    </div>
  );
}

/** Kept in this tab until the replay is requested, so that nothing typed is lost. */
function useChanges({ range: { from, to }, group, hash }: ReplayScope) {
  return useSessionStorage<Change[]>({
    key: ['replay', from, to, group ?? hash].join(' ').trimEnd(),
    defaultValue: [],
    getInitialValueInEffect: false,
  });
}

function inputOf({ range, codes, ...narrower }: ReplayScope, changes: readonly Change[]) {
  return {
    codes: [...codes],
    ...narrower,
    since: range.from,
    until: range.to,
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
