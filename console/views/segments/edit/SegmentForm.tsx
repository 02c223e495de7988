import { Button, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { useNewEventNames } from '../../../pieces/event-match/use-event-names.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { SaveBar } from '../../../pieces/SaveBar.tsx';
import { useUnsaved } from '../../../pieces/unsaved.ts';
import type { Refusal } from '../../../pieces/use-action.tsx';
import { Preview } from './Preview.tsx';
import { RuleFields } from './RuleFields.tsx';
import { givenRule, type SegmentDraft } from './segment-draft.ts';

type SegmentFormProps = {
  readonly draft: SegmentDraft;
  readonly isChanged: boolean;
  readonly onChange: (draft: SegmentDraft) => void;
  readonly submitLabel: string;
  readonly cancelHref: string;
  readonly isRunning: boolean;
  readonly refusals: readonly Refusal[];
  /** With the rule as the API takes it. */
  readonly onSubmit: (rule: unknown) => void;
};

const NAME_CHARACTERS_MAX = 256;

export function SegmentForm(props: SegmentFormProps) {
  const { draft, isChanged, onChange, submitLabel, cancelHref, isRunning, refusals } = props;
  const [isChecked, setIsChecked] = useState(false);
  useUnsaved(isChanged);
  useNewEventNames();
  const rule = givenRule(draft);
  const hasName = draft.name.trim() !== '';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (hasName && rule !== undefined) props.onSubmit(rule);
    // After the errors are shown.
    else requestAnimationFrame(() => requestAnimationFrame(focusFirstFault));
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg" maw={900}>
        <Refusals refusals={refusals} except={['name', 'rule']} />
        <Card>
          <TextInput
            label="Name"
            required
            maxLength={NAME_CHARACTERS_MAX}
            value={draft.name}
            onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
            error={isChecked && !hasName ? 'Enter a name' : refusalAt(refusals, 'name')}
          />
        </Card>
        <RuleFields
          draft={draft}
          isChecked={isChecked}
          refusal={refusalAt(refusals, 'rule')}
          onChange={part => onChange({ ...draft, ...part })}
        />
        <Preview rule={rule} />
        <SaveBar isChanged={isChanged}>
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

function focusFirstFault(): void {
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}
