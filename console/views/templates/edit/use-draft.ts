import { useEffect, useEffectEvent, useState } from 'react';
import { useUnsaved } from '../../../pieces/unsaved.ts';
import { type Refusal, useAction } from '../../../pieces/use-action.tsx';
import type { Version } from '../version-query.ts';
import { contentOf, type DraftForm, formOf } from './draft-form.ts';
import { SAVE } from './edit-query.ts';
import { fieldOf, MESSAGES } from './refused-fields.ts';

/** From the last change until the draft saves itself: a pause, not one key after another. */
const PAUSE_MS = 3_000;

export type Draft = {
  readonly form: DraftForm;
  readonly change: (part: Partial<DraftForm>) => void;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** What prevents saving, until that is changed. */
  readonly refusals: readonly Refusal[];
  /** Another user saved the draft first, and their version has been read. */
  readonly hasConflict: boolean;
  readonly save: () => void;
  readonly takeTheirs: () => void;
  readonly keepMine: () => void;
};

/** A draft that saves itself, with one request at a time. A refused form is not sent again as it is. */
export function useDraft(version: Version): Draft {
  const { id, channel } = version;
  const [form, setForm] = useState(() => formOf(version));
  const [saved, setSaved] = useState(() => ({ form, revision: version.revision }));
  /** Whatever became of it. */
  const [sent, setSent] = useState(form);
  const { run, isRunning, refusals, forget } = useAction(SAVE, {
    isFormShowing: true,
    messages: MESSAGES,
  });
  const isChanged = JSON.stringify(form) !== JSON.stringify(saved.form);
  useUnsaved(isChanged);
  const standing = refusals.filter(refusal => isStanding(refusal, sent, form));
  const save = async (revision: number) => {
    setSent(form);
    const input = { ...contentOf(form, channel), expectedRevision: revision };
    const made = (await run({ id, input }))?.templateVersionEdit?.templateVersion;
    if (made) setSaved({ form, revision: made.revision });
  };
  useSaveInPause(isChanged && !isRunning && standing.length === 0, form, () => {
    void save(saved.revision);
  });
  return {
    form,
    change: part => setForm(before => ({ ...before, ...part })),
    isChanged,
    isSaving: isRunning,
    refusals: standing,
    hasConflict:
      version.revision > saved.revision && refusals.some(({ code }) => code === 'TEMPLATE_CHANGED'),
    save: () => void save(saved.revision),
    takeTheirs() {
      const theirs = formOf(version);
      forget();
      setForm(theirs);
      setSaved({ form: theirs, revision: version.revision });
    },
    keepMine: () => void save(version.revision),
  };
}

/** Each change of the form begins a new pause. */
function useSaveInPause(isWaiting: boolean, form: DraftForm, save: () => void): void {
  const saveLatest = useEffectEvent(save);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => saveLatest(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, form]);
}

/** Until its field changes; without an answer of the API, until anything does. */
function isStanding(refusal: Refusal, sent: DraftForm, form: DraftForm): boolean {
  if (refusal.code === undefined) return form === sent;
  const field = fieldOf(refusal);
  return field === undefined || form[field] === sent[field];
}
