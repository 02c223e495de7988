import { useMemo, useState } from 'react';
import { useUnsaved } from '../../../pieces/unsaved.ts';
import type { Refusal } from '../../../pieces/use-action.tsx';
import { type Fault, faultsOf } from './draft-faults.ts';
import type { DraftStep, JourneyDraft } from './journey-draft.ts';
import { refusedFieldOf } from './refused-fields.ts';
import { isChanged } from './step-inputs.ts';

export type JourneyForm = {
  readonly draft: JourneyDraft;
  readonly isUnsaved: boolean;
  /** Marks the fields that change as typed: their faults are shown from then on. */
  readonly change: (part: Partial<JourneyDraft>) => void;
  readonly changeStep: (id: string, part: Partial<DraftStep>) => void;
  /** For a field's `error`. */
  readonly faultAt: (stepId: string, field: string) => string | undefined;
  readonly faults: readonly Fault[];
  /** Refusals that no field shows. */
  readonly otherRefusals: readonly Refusal[];
  /** From now on all faults are shown; whether there are none. */
  readonly check: () => boolean;
  readonly reset: (opened: JourneyDraft) => void;
};

/** These are wrong because of another step, so they are shown at once. */
const SHOWN_AT_ONCE = new Set(['step', 'steps', 'next', 'onDismissed', 'onExpired']);

export function useJourneyForm(opened: JourneyDraft, refusals: readonly Refusal[]): JourneyForm {
  const [draft, setDraft] = useState(opened);
  const isUnsaved = JSON.stringify(draft) !== JSON.stringify(opened);
  useUnsaved(isUnsaved);
  const [typed, setTyped] = useState<ReadonlySet<string>>(new Set());
  const [isChecked, setIsChecked] = useState(false);
  const [corrected, setCorrected] = useState<{
    of: readonly Refusal[];
    keys: ReadonlySet<string>;
  }>();
  // Stored steps are sent only if they change, so until then nothing is wrong with them.
  const areStepsSaved = draft.version > 0 && !isChanged(draft, opened);
  const faults = faultsOf(draft).filter(({ stepId }) => stepId === '' || !areStepsSaved);
  // Refusals count the steps as they were sent.
  const refused = useMemo(
    () => refusals.map(refusal => refusedFieldOf(refusal, draft.steps)),
    [refusals],
  );
  const otherRefusals = useMemo(
    () => refusals.filter((_, at) => refused[at] === undefined),
    [refusals, refused],
  );
  const isCorrected = (key: string) => corrected?.of === refusals && corrected.keys.has(key);
  const mark = (stepId: string, fields: readonly string[]) => {
    const keys = fields.map(field => keyOf(stepId, field));
    setTyped(before => new Set([...before, ...keys]));
    setCorrected(before => ({
      of: refusals,
      keys: new Set([...(before?.of === refusals ? before.keys : []), ...keys]),
    }));
  };
  return {
    draft,
    isUnsaved,
    faults,
    otherRefusals,
    change(part) {
      mark('', Object.keys(part));
      setDraft({ ...draft, ...part });
    },
    changeStep(id, part) {
      mark(id, fieldsIn(part));
      const steps = draft.steps.map(step =>
        step.id === id ? ({ ...step, ...part } as DraftStep) : step,
      );
      setDraft({ ...draft, steps });
    },
    faultAt(stepId, field) {
      const key = keyOf(stepId, field);
      const fault = faults.find(one => keyOf(one.stepId, one.field) === key);
      if (fault && (isChecked || typed.has(key) || SHOWN_AT_ONCE.has(field))) return fault.message;
      if (isCorrected(key)) return undefined;
      return refused.find(one => one && keyOf(one.stepId, one.field) === key)?.message;
    },
    check() {
      setIsChecked(true);
      return faults.length === 0;
    },
    reset(next) {
      setDraft(next);
      setTyped(new Set());
      setIsChecked(false);
    },
  };
}

function keyOf(stepId: string, field: string): string {
  return `${stepId} ${field}`;
}

/** The fields of the form in a part of a step: contents and settings have several. */
function fieldsIn(part: Partial<DraftStep>): string[] {
  return Object.entries(part).flatMap(([name, value]) =>
    name === 'content' || name === 'settings'
      ? [name, ...Object.keys((value ?? {}) as object)]
      : [name],
  );
}
