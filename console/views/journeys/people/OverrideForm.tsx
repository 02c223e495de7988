import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { versionOf } from '../../../pieces/enrolment-words.ts';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { HeldVersionProps } from './HeldVersion.tsx';
import { MESSAGES, OVERRIDE } from './people-query.ts';
import { nameOf } from './person-words.ts';

const SENDABLE = graphql(`
  query OverrideVersions($templateId: ID!, $channel: TemplateChannel!, $language: String!) {
    templateVersions(
      first: 100
      templateId: $templateId
      channel: $channel
      language: $language
    ) {
      nodes { id number state note isSendable }
    }
  }
`);

type OverrideFormProps = HeldVersionProps & { readonly onDone: () => void };

export function OverrideForm(props: OverrideFormProps) {
  const version = versionOf(props.held);
  const asked = useQuery({
    query: SENDABLE,
    variables: {
      templateId: version?.template?.id ?? '',
      channel: version?.channel ?? 'EMAIL',
      language: version?.language ?? '',
    },
    pause: version === null,
  });
  return (
    <Asked asked={asked} label="Loading the versions">
      {({ templateVersions: { nodes } }) => {
        const others = nodes.filter(({ id, isSendable }) => isSendable && id !== version?.id);
        return others.length === 0 ? (
          <Text size="sm">No other version of this message can be sent.</Text>
        ) : (
          <Form
            {...props}
            choices={others.map(({ id, number, state, note }) => ({
              value: id,
              label: `Version ${number}, ${inPlainWords(state).toLowerCase()}${note === '' ? '' : `: ${note}`}`,
            }))}
          />
        );
      }}
    </Asked>
  );
}

type FormProps = OverrideFormProps & {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
};

function Form({ person, held, onDone, choices }: FormProps) {
  const [versionId, setVersionId] = useState(choices[0]!.value);
  const [reason, setReason] = useState('');
  const { run, isRunning, refusals } = useAction(OVERRIDE, {
    isFormShowing: true,
    messages: MESSAGES,
    done: `${nameOf(person)} uses another version.`,
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ id: person.id, input: { nodeId: held.nodeId, versionId, reason } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['versionId', 'reason']} />
      <Select
        label="Version"
        data={[...choices]}
        value={versionId}
        onChange={value => setVersionId(value ?? versionId)}
        allowDeselect={false}
        error={refusalAt(refusals, 'versionId')}
      />
      <TextInput
        label="Reason"
        description="Optional, for other members."
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={refusalAt(refusals, 'reason')}
      />
      <Text size="sm">
        At this step they receive the selected version instead of the one that was active when they
        entered, even after a forced rollout. Messages that were already sent are not sent again. No
        one else is affected.
      </Text>
      <Button type="submit" loading={isRunning}>
        Use this version
      </Button>
    </Stack>
  );
}
