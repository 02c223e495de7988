import { Select } from '@mantine/core';
import { END, NEXT, resolved, SAME } from './journey-draft.ts';
import { nameOfStep } from './step-names.ts';
import type { JourneyForm } from './use-journey-form.ts';

type TargetSelectProps = {
  readonly form: JourneyForm;
  readonly at: number;
  readonly field: 'next' | 'onDismissed' | 'onExpired';
  readonly label: string;
  readonly value: string;
};

/** With which later step a step continues. */
export function TargetSelect({ form, at, field, label, value }: TargetSelectProps) {
  const { draft, changeStep, faultAt } = form;
  const { steps } = draft;
  const step = steps[at]!;
  const named = steps.map((one, index) => ({ value: one.id, label: nameOfStep(one, index) }));
  const nextName = named[at + 1]?.label;
  const isKnown = value === NEXT || value === END || value === SAME;
  // A chosen step that has been moved above this one is listed, so that it can be seen.
  const later = named.slice(at + 2).concat(isKnown ? [] : named.filter(one => one.value === value));
  const choices = [
    ...(field === 'next' ? [] : [{ value: SAME, label: 'Same as after a click' }]),
    {
      value: NEXT,
      label: nextName === undefined ? 'End of the journey' : `Next step: ${nextName}`,
    },
    ...later,
    ...(nextName === undefined ? [] : [{ value: END, label: 'End of the journey' }]),
  ];
  const shown = shownValue(resolved(steps, at, value), value, steps[at + 1]?.id);
  return (
    <Select
      label={label}
      data={[...new Map(choices.map(choice => [choice.value, choice])).values()]}
      value={shown}
      onChange={target => changeStep(step.id, { [field]: target ?? NEXT })}
      allowDeselect={false}
      error={faultAt(step.id, field)}
    />
  );
}

/** A step that has become the next one, or the end after the last step, is shown as such. */
function shownValue(to: string | undefined, value: string, nextId: string | undefined): string {
  if (value === SAME) return SAME;
  return to === nextId ? NEXT : value;
}
