import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { confirm } from '../../../pieces/confirm.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { CorrectedExample } from './CorrectedExample.tsx';
import { type Change, offerInWords } from './change.ts';
import { ReportCard } from './ReportCard.tsx';
import type { DryRun, Report } from './replay-query.ts';

type DryRunResultProps = {
  /** Undefined once it no longer holds, because the form was changed. */
  readonly report: DryRun | undefined;
  /** Another object after each dry run. */
  readonly dryRun: object | undefined;
  readonly isCorrected: boolean;
  /** Corrections for the events that were rejected again. */
  readonly offers: readonly Change[];
  readonly isRunning: boolean;
  readonly onAdd: (change: Change) => void;
  readonly onReplay: () => Promise<void>;
};

/** The result of a dry run, and what to do next. It may be below the screen: focus moves to it. */
export function DryRunResult({ report, dryRun, ...next }: DryRunResultProps) {
  const { isCorrected, offers, isRunning, onAdd, onReplay } = next;
  const hint = report && hintOf(report, isCorrected);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (dryRun !== undefined) box.current?.focus();
  }, [dryRun]);
  return (
    <>
      <div ref={box} role="status" tabIndex={-1} aria-label="Result of the dry run">
        {report && (
          <Stack gap="lg">
            <ReportCard title="Result of the dry run" report={report}>
              {report.example && <CorrectedExample example={report.example} />}
            </ReportCard>
            {hint && <Text size="sm">{hint}</Text>}
          </Stack>
        )}
      </div>
      {report && (
        <Group gap="xs">
          {isWorthwhile(report) ? (
            <Button disabled={isRunning} onClick={() => confirmReplay(report, onReplay)}>
              Replay {eventsInWords(report.found)}
            </Button>
          ) : (
            offers.map(change => (
              <Button key={change.path} variant="light" onClick={() => onAdd(change)}>
                {offerInWords(change)}
              </Button>
            ))
          )}
        </Group>
      )}
    </>
  );
}

/** Whether some of the events would be accepted, or were not tried. */
function isWorthwhile({ accepted, found, tried }: Report): boolean {
  return accepted > 0 || found > tried;
}

function hintOf(report: DryRun, isCorrected: boolean): string {
  const { found, tried, uncorrectable, example } = report;
  const isUnchanged = isCorrected && example === null && uncorrectable === 0;
  const sentences = [
    isUnchanged && 'The corrections change none of these events.',
    !isWorthwhile(report) && 'None of these events would be accepted. Correct them first.',
    found > tried && `A dry run tries only the earliest ${inCount(tried)} events.`,
  ];
  return sentences.filter(Boolean).join(' ');
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
