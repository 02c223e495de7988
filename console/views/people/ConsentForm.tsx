import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Refusals, refusalAt } from '../../pieces/Refusals.tsx';
import { useAction } from '../../pieces/use-action.tsx';
import { CONSENT_SET, CONSOLE_SOURCE } from './consent-set.ts';

type ConsentFormProps = { readonly contactId: string; readonly onDone: () => void };

/** As the API requires it. */
const PURPOSE = '[a-z][a-z0-9_]{0,63}';
const SOURCE_CHARACTERS_MAX = 256;
const SHOWN = ['purpose', 'status', 'source'];

export function ConsentForm({ contactId, onDone }: ConsentFormProps) {
  const [purpose, setPurpose] = useState('');
  const [status, setStatus] = useState<'GRANTED' | 'DENIED'>('GRANTED');
  const [source, setSource] = useState(CONSOLE_SOURCE);
  const { run, isRunning, refusals } = useAction(CONSENT_SET, {
    isFormShowing: true,
    done: 'The consent was recorded.',
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ id: contactId, input: { purpose, status, source: source.trim() } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput
        label="Purpose"
        description="The same lowercase word as in your campaigns, such as marketing."
        required
        pattern={PURPOSE}
        autoCapitalize="off"
        data-autofocus
        value={purpose}
        onChange={({ currentTarget }) => setPurpose(currentTarget.value)}
        error={refusalAt(refusals, 'purpose')}
      />
      <Radio.Group
        label="Status"
        value={status}
        onChange={value => setStatus(value as typeof status)}
        error={refusalAt(refusals, 'status')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="GRANTED" label="Granted: the person consented" />
          <Radio value="DENIED" label="Denied: the person refused or withdrew" />
        </Stack>
      </Radio.Group>
      <TextInput
        label="Source"
        description="Where the consent was collected, such as preference center."
        maxLength={SOURCE_CHARACTERS_MAX}
        value={source}
        onChange={({ currentTarget }) => setSource(currentTarget.value)}
        error={refusalAt(refusals, 'source')}
      />
      <Button type="submit" loading={isRunning}>
        Record consent
      </Button>
    </Stack>
  );
}
