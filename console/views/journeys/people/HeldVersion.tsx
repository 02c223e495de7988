import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { CHANNELS, inLanguage } from '../../../pieces/channels.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { versionOf } from '../../../pieces/enrolment-words.ts';
import { State } from '../../../pieces/State.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { Journey } from '../journey-query.ts';
import { HoldForm } from './HoldForm.tsx';
import { OverrideForm } from './OverrideForm.tsx';
import { type Held, MESSAGES, OVERRIDE_REMOVE, type Person } from './people-query.ts';
import { nameOf, OVERRIDES, stepInWords } from './person-words.ts';

export type HeldVersionProps = {
  readonly journey: Journey;
  readonly person: Person;
  readonly held: Held;
};

type Form = 'hold' | 'override';

/** The version that a person receives at one step, and what an owner can change about it. */
export function HeldVersion(props: HeldVersionProps & { readonly mayChange: boolean }) {
  const { journey, person, held, mayChange } = props;
  const [form, setForm] = useState<Form>();
  const close = () => setForm(undefined);
  const name = nameOf(person);
  return (
    <Box component="section" className="card" p="md" aria-label={stepInWords(journey, held.nodeId)}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {stepInWords(journey, held.nodeId)}
        </Text>
        <Version held={held} />
        {mayChange && (
          <Group gap="xs">
            {held.pinned !== null && held.overrideKind !== 'HOLD' && (
              <Button size="compact-sm" variant="default" onClick={() => setForm('hold')}>
                Hold version {held.pinned.number}
              </Button>
            )}
            <Button size="compact-sm" variant="default" onClick={() => setForm('override')}>
              Use another version
            </Button>
            {held.override !== null && <RemoveOverride {...props} />}
          </Group>
        )}
      </Stack>
      <Dialog opened={form === 'hold'} onClose={close} title={`Hold the version of ${name}`}>
        <HoldForm {...props} onDone={close} />
      </Dialog>
      <Dialog
        opened={form === 'override'}
        onClose={close}
        title={`Use another version for ${name}`}
      >
        <OverrideForm {...props} onDone={close} />
      </Dialog>
    </Box>
  );
}

function Version({ held }: { readonly held: Held }) {
  const version = versionOf(held);
  if (version === null)
    return (
      <Text size="sm" c="dimmed">
        Unknown version
      </Text>
    );
  const { id, number, channel, language, template } = version;
  const { overrideKind, overrideReason, pinned } = held;
  return (
    <>
      <Group gap="xs">
        <Anchor component={Link} href={`/templates/${template?.id ?? ''}/${id}`} size="sm">
          Version {number}
        </Anchor>
        <Text size="sm" c="dimmed">
          {CHANNELS[channel].label}, {inLanguage(language)}
        </Text>
      </Group>
      {overrideKind !== null && (
        <>
          <Group gap="xs">
            <State name={overrideKind} tone="waiting" label={OVERRIDES[overrideKind]} />
          </Group>
          {pinned !== null && pinned.id !== id && (
            <Text size="xs" c="dimmed">
              Instead of version {pinned.number}, which was active when they entered.
            </Text>
          )}
          {overrideReason && <Text size="sm">“{overrideReason}”</Text>}
        </>
      )}
    </>
  );
}

function RemoveOverride({ person, held }: HeldVersionProps) {
  const { run, isRunning } = useAction(OVERRIDE_REMOVE, {
    done: 'The override was removed.',
    messages: MESSAGES,
  });
  const pinned = held.pinned === null ? 'the active version' : `version ${held.pinned.number}`;
  const ask = () =>
    confirm({
      title: `Remove the override of ${nameOf(person)}`,
      confirm: 'Remove the override',
      children: `If this message has not been sent yet, they receive ${pinned}, or the version set by a forced rollout. No one else is affected.`,
      onConfirm: () => void run({ id: person.id, input: { nodeId: held.nodeId } }),
    });
  return (
    <Button size="compact-sm" variant="default" loading={isRunning} onClick={ask}>
      Remove the override
    </Button>
  );
}
