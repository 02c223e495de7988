import { Button, Stack, Textarea } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Refusals } from '../../pieces/Refusals.tsx';
import type { Refusal } from '../../pieces/use-action.tsx';

type ReasonFormProps = {
  readonly label: string;
  readonly description: string;
  /** The label of the action. */
  readonly confirm: string;
  readonly isRunning: boolean;
  readonly refusals: readonly Refusal[];
  readonly onSubmit: (text: string) => Promise<void>;
  /** For texts that are not reasons, such as a bank's reference. */
  readonly isFriendly?: boolean;
};

/** A form with one text for another reader, and the action that it belongs to. */
export function ReasonForm(props: ReasonFormProps) {
  const { label, description, confirm, isRunning, refusals, onSubmit, isFriendly = false } = props;
  const [text, setText] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void onSubmit(text.trim());
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Refusals refusals={refusals} />
      <Textarea
        label={label}
        description={description}
        required
        data-autofocus
        autosize
        minRows={isFriendly ? 1 : 3}
        maxRows={10}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button
        type="submit"
        loading={isRunning}
        disabled={text.trim() === ''}
        {...(!isFriendly && { color: 'red.9' })}
      >
        {confirm}
      </Button>
    </Stack>
  );
}
