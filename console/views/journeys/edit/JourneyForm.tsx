import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { Link } from 'wouter';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { Basics } from './Basics.tsx';
import classes from './edit.module.css';
import { StepList } from './StepList.tsx';
import type { JourneyForm as Form } from './use-journey-form.ts';

type JourneyFormProps = {
  readonly form: Form;
  readonly submitLabel: string;
  readonly cancelHref: string;
  readonly isRunning: boolean;
  readonly onSubmit: () => void;
};

export function JourneyForm(props: JourneyFormProps) {
  const { form, submitLabel, cancelHref, isRunning, onSubmit } = props;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (form.check()) onSubmit();
    // After the errors are shown.
    else requestAnimationFrame(() => requestAnimationFrame(focusFirstFault));
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg" maw={820}>
        {form.isRestored && (
          <Alert variant="default" title="Your unsaved changes were restored">
            <Group gap="sm">
              <Text size="sm">They are kept in this tab until you save or discard them.</Text>
              <Button size="compact-sm" variant="default" onClick={form.forget}>
                Discard the changes
              </Button>
            </Group>
          </Alert>
        )}
        <Refusals refusals={form.otherRefusals} />
        <Basics form={form} />
        <StepList form={form} />
        <Box className={classes.bar!}>
          <Group gap="sm">
            <Button type="submit" loading={isRunning}>
              {submitLabel}
            </Button>
            <Button component={Link} href={cancelHref} variant="default" onClick={form.forget}>
              Cancel
            </Button>
          </Group>
        </Box>
      </Stack>
    </form>
  );
}

function focusFirstFault(): void {
  document.querySelector<HTMLElement>('form :is([aria-invalid="true"], [data-fault])')?.focus();
}
