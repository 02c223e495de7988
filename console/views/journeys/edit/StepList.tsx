import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconHourglass, IconSend, IconSpeakerphone } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import classes from './edit.module.css';
import { newStep, type StepKind, withoutStep } from './journey-draft.ts';
import { StepCard } from './StepCard.tsx';
import { nameOfStep } from './step-names.ts';
import type { JourneyForm } from './use-journey-form.ts';

const ADDITIONS = [
  { kind: 'SEND', label: 'Message', icon: IconSend },
  { kind: 'WAIT', label: 'Wait', icon: IconHourglass },
  { kind: 'WIDGET', label: 'Widget', icon: IconSpeakerphone },
] as const;

export function StepList({ form }: { readonly form: JourneyForm }) {
  const { draft, change, faultAt } = form;
  const { steps, endId } = draft;
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const focusSoon = useFocusSoon(list);
  const add = (kind: StepKind, at: number) => {
    const step = newStep(kind, [endId, ...steps.map(({ id }) => id)]);
    change({ steps: steps.toSpliced(at, 0, step) });
    focusSoon(step.id);
  };
  const move = (from: number, to: number) => {
    const step = steps[from]!;
    change({ steps: steps.toSpliced(from, 1).toSpliced(to, 0, step) });
    setSaid(`Moved to position ${to + 1} of ${steps.length}`);
    focusSoon(step.id, to < from ? 'Move up' : 'Move down');
  };
  const remove = (at: number) =>
    confirm({
      title: `Remove “${nameOfStep(steps[at]!, at)}”`,
      confirm: 'Remove the step',
      isDangerous: true,
      children:
        'Its content is removed from the form. The change applies when you save the journey.',
      onConfirm: () => change({ steps: withoutStep(steps, steps[at]!.id) }),
    });
  return (
    <Card title="Steps">
      <Stack>
        <VisuallyHidden role="status">{said}</VisuallyHidden>
        <ol className={classes.steps} ref={list}>
          {steps.map((step, at) => (
            <StepCard
              key={step.id}
              form={form}
              at={at}
              onMove={to => move(at, to)}
              onRemove={() => remove(at)}
              onAdd={kind => add(kind, at + 1)}
            />
          ))}
        </ol>
        {faultAt('', 'steps') && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {faultAt('', 'steps')}
          </Text>
        )}
        <Additions onAdd={kind => add(kind, steps.length)} />
        <Text size="sm" c="dimmed">
          After the last step, people leave the journey.
        </Text>
      </Stack>
    </Card>
  );
}

function Additions({ onAdd }: { readonly onAdd: (kind: StepKind) => void }) {
  return (
    <Group gap="sm">
      <Text size="sm" fw={550}>
        Add a step
      </Text>
      {ADDITIONS.map(({ kind, label, icon: Icon }) => (
        <Button
          key={kind}
          variant="default"
          size="sm"
          leftSection={<Icon size={16} />}
          onClick={() => onAdd(kind)}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}

/** Focuses a step’s first field, or one of its buttons, once the step is in its new place. */
function useFocusSoon(list: RefObject<HTMLOListElement | null>) {
  const [wanted, setWanted] = useState<{ readonly id: string; readonly button?: string }>();
  useEffect(() => {
    if (wanted === undefined) return;
    const step = list.current?.querySelector(`[data-step="${CSS.escape(wanted.id)}"]`);
    const button = step?.querySelector<HTMLButtonElement>(`[aria-label^="${wanted.button}"]`);
    const target = button?.disabled === false ? button : step?.querySelector<HTMLElement>('input');
    target?.focus();
  }, [list, wanted]);
  return (id: string, button?: string) => setWanted({ id, ...(button && { button }) });
}
