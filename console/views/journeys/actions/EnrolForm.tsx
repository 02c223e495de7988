import { Alert, Button, Stack, TagsInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type SubmitEvent, useState } from 'react';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { Journey } from '../journey-query.ts';
import { peopleInWords } from '../journey-words.ts';
import { inOrder } from '../steps/step-order.ts';
import { KINDS, titleOf, versionForEntry } from '../steps/step-words.ts';
import { ENROL, MESSAGES } from './journey-mutations.ts';

/** The limit of the API for one call. */
const PEOPLE_MAX = 1_000;

type EnrolFormProps = { readonly journey: Journey; readonly onDone: () => void };

/** States what the people receive: the first step runs within a second or two. */
export function EnrolForm({ journey, onDone }: EnrolFormProps) {
  const [userIds, setUserIds] = useState<string[]>([]);
  const [typed, setTyped] = useState('');
  const [notEnrolled, setNotEnrolled] = useState<string>();
  const { run, isRunning, refusals } = useAction(ENROL, {
    isFormShowing: true,
    messages: MESSAGES,
    changes: ['Journey', 'Enrolment'],
  });
  const people = [...new Set([...userIds, typed].flatMap(idsIn))];
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setUserIds(people);
    setTyped('');
    const done = (await run({ id: journey.id, input: { userIds: people } }))?.journeyEnrol;
    if (!done) return;
    const { enrolmentIds, alreadyInside, unknownUserIds } = done;
    const count = enrolmentIds?.length ?? 0;
    if (count > 0) notifications.show({ message: `${peopleInWords(count)} enrolled.` });
    const left = [...(unknownUserIds ?? []), ...(alreadyInside ?? [])];
    if (left.length === 0) return onDone();
    setUserIds(left);
    setNotEnrolled(reasonOf(unknownUserIds ?? [], alreadyInside ?? []));
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['userIds']} />
      {notEnrolled !== undefined && (
        <Alert role="alert" color="red" variant="outline" title="Not enrolled">
          {notEnrolled}
        </Alert>
      )}
      <TagsInput
        label="User IDs"
        description="Press Enter or type a comma after each. To try the journey, enrol only yourself."
        data-autofocus
        value={userIds}
        onChange={setUserIds}
        searchValue={typed}
        onSearchChange={setTyped}
        maxTags={PEOPLE_MAX}
        acceptValueOnBlur={false}
        error={refusalAt(refusals, 'userIds')}
      />
      <Text size="sm">{effectOf(journey)}</Text>
      <Button type="submit" loading={isRunning} disabled={people.length === 0}>
        {people.length > 1 ? `Enrol ${peopleInWords(people.length)}` : 'Enrol'}
      </Button>
    </Stack>
  );
}

/** Also what was pasted and not confirmed with Enter. */
function idsIn(typed: string): string[] {
  return typed
    .split(',')
    .map(id => id.trim())
    .filter(id => id !== '');
}

function reasonOf(unknown: readonly string[], inside: readonly string[]): string {
  const parts = [
    unknown.length > 0 && `No contact has this user ID: ${unknown.join(', ')}.`,
    inside.length > 0 && `Already in the journey: ${inside.join(', ')}.`,
  ];
  return parts.filter(Boolean).join(' ');
}

function effectOf({ nodes }: Journey): string {
  const steps = inOrder(nodes);
  const first = steps[0]!;
  const version = versionForEntry(first);
  const start =
    first.kind === 'SEND'
      ? `They are sent “${titleOf(first)}”${version === undefined ? '' : `, version ${version.number},`} within seconds.`
      : `They start immediately with the first step: ${KINDS[first.kind].label.toLowerCase()}, ${titleOf(first)}.`;
  return `${start} They keep the currently active versions until they leave the journey. People already in the journey are not affected.`;
}
