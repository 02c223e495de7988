import { Button, Stack } from '@mantine/core';
import { type SubmitEvent, useEffect } from 'react';
import { Link } from 'wouter';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { SaveBar } from '../../../pieces/SaveBar.tsx';
import type { Refusal } from '../../../pieces/use-action.tsx';
import { Basics } from './Basics.tsx';
import { StepList } from './StepList.tsx';
import type { JourneyForm as Form } from './use-journey-form.ts';

type JourneyFormProps = {
  readonly form: Form;
  readonly refusals: readonly Refusal[];
  readonly submitLabel: string;
  readonly cancelHref: string;
  readonly isRunning: boolean;
  readonly onSubmit: () => void;
};

export function JourneyForm(props: JourneyFormProps) {
  const { form, refusals, submitLabel, cancelHref, isRunning, onSubmit } = props;
  const areAtFields = refusals.length > 0 && form.otherRefusals.length === 0;
  useEffect(() => (areAtFields ? focusFirstFaultSoon() : undefined), [areAtFields, refusals]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (form.check()) onSubmit();
    // After the errors are shown.
    else requestAnimationFrame(() => requestAnimationFrame(focusFirstFault));
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg" maw={820}>
        <Refusals refusals={form.otherRefusals} />
        <Basics form={form} />
        <StepList form={form} />
        <SaveBar isChanged={form.isUnsaved}>
          <Button component={Link} href={cancelHref} variant="default">
            Cancel
          </Button>
          <Button type="submit" loading={isRunning}>
            {submitLabel}
          </Button>
        </SaveBar>
      </Stack>
    </form>
  );
}

function focusFirstFault(): boolean {
  const fault = document.querySelector<HTMLElement>(
    'form :is([aria-invalid="true"], [data-fault])',
  );
  fault?.focus();
  return fault !== null;
}

/** A field that still loads shows its fault later. Returns a function that stops waiting. */
function focusFirstFaultSoon(): () => void {
  const observer = new MutationObserver(() => focusFirstFault() && observer.disconnect());
  if (!focusFirstFault())
    observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  return () => observer.disconnect();
}
