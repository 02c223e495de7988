import { useState } from 'react';
import { useLocation } from 'wouter';
import { forgetUnsaved, useUnsaved } from '../../../pieces/unsaved.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { REJECTED } from '../rejected-paths.ts';
import { type Change, correctionOf, faultsOf } from './change.ts';
import type { ReplayScope } from './replay-href.ts';
import { type DryRun, REPLAY, REPLAY_EVENTS_MAX } from './replay-query.ts';

/** The result of a dry run holds only for the same input. */
type Tried = { readonly input: string; readonly report: DryRun };

/** The corrections of a replay, its dry runs and its request. */
export function useReplayRequest(scope: ReplayScope) {
  const [changes, setChanges] = useState<readonly Change[]>([]);
  useUnsaved(changes.length > 0);
  const [showsFaults, setShowsFaults] = useState(false);
  const [tried, setTried] = useState<Tried>();
  const [, navigate] = useLocation();
  const action = useAction(REPLAY, { isFormShowing: true, changes: ['RejectedEventsReplay'] });
  const isFaulty = changes.some(change => Object.keys(faultsOf(change)).length > 0);
  const input = isFaulty ? undefined : inputOf(scope, changes);
  const text = JSON.stringify(input);
  return {
    changes,
    showsFaults,
    tried,
    action,
    // Input with faults has no text, and no result either.
    report: input !== undefined && tried?.input === text ? tried.report : undefined,
    change: (next: readonly Change[]) => {
      setChanges(next);
      action.forget();
    },
    dryRun: async () => {
      setShowsFaults(true);
      if (input === undefined || scope.codes.length === 0 || action.isRunning) return;
      const done = await action.run({ input: { ...input, dryRun: true } });
      const report = done?.rejectedEventsReplay?.dryRun;
      if (report) setTried({ input: text, report });
    },
    replay: async () => {
      const done = input && (await action.run({ input }));
      const id = done?.rejectedEventsReplay?.replay?.id;
      if (id === undefined) return;
      forgetUnsaved();
      navigate(REJECTED.replayed(id));
    },
  };
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
