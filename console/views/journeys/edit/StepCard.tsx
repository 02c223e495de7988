import { ActionIcon, Box, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { KINDS } from '../steps/step-words.ts';
import { DurationInput } from './DurationInput.tsx';
import { type DraftStep, NEXT, type StepKind } from './journey-draft.ts';
import { MessageFields } from './MessageFields.tsx';
import { nameOfStep } from './step-names.ts';
import { TargetSelect } from './TargetSelect.tsx';
import type { JourneyForm } from './use-journey-form.ts';
import { WidgetFields } from './WidgetFields.tsx';

type StepCardProps = {
  readonly form: JourneyForm;
  readonly at: number;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
  readonly onAdd: (kind: StepKind) => void;
};

export function StepCard(props: StepCardProps) {
  const { form, at } = props;
  const { draft, changeStep, faultAt } = form;
  const step = draft.steps[at]!;
  const fault = faultAt(step.id, 'step');
  return (
    <Box component="li" className="card" p="md" data-step={step.id}>
      <Stack gap="sm">
        <Heading {...props} step={step} />
        {fault && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault}
          </Text>
        )}
        {step.kind === 'SEND' && <MessageFields form={form} step={step} />}
        {step.kind === 'WIDGET' && <WidgetFields form={form} step={step} at={at} />}
        {step.kind === 'WAIT' && (
          <DurationInput
            label="Wait for"
            value={step.duration}
            onChange={duration => changeStep(step.id, { duration })}
            error={faultAt(step.id, 'duration')}
          />
        )}
        {step.kind !== 'WIDGET' && isBranched(form, step) && (
          <TargetSelect form={form} at={at} field="next" label="Continue with" value={step.next} />
        )}
      </Stack>
    </Box>
  );
}

/** In a journey without branches, each step continues with the next one. */
function isBranched({ draft }: JourneyForm, step: DraftStep): boolean {
  return step.next !== NEXT || draft.steps.some(({ kind }) => kind === 'WIDGET');
}

function Heading({ form, at, step, onMove, onRemove, onAdd }: StepCardProps & { step: DraftStep }) {
  const { icon: Icon } = KINDS[step.kind];
  const name = nameOfStep(step, at);
  const last = form.draft.steps.length - 1;
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Group gap={8} wrap="nowrap" miw={0}>
        <Icon size={17} stroke={1.8} />
        <Title order={3} size="h6" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
      </Group>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move up: ${name}`}
          disabled={at === 0}
          onClick={() => onMove(at - 1)}
        >
          <IconArrowUp size={17} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move down: ${name}`}
          disabled={at === last}
          onClick={() => onMove(at + 1)}
        >
          <IconArrowDown size={17} />
        </ActionIcon>
        <MoreMenu label={`More for ${name}`} widthPx={210} isQuiet>
          {(['SEND', 'WAIT', 'WIDGET'] as const).map(kind => (
            <Menu.Item key={kind} leftSection={<IconPlus size={16} />} onClick={() => onAdd(kind)}>
              Add a {KINDS[kind].label.toLowerCase()} below
            </Menu.Item>
          ))}
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            c="var(--mantine-color-error)"
            onClick={onRemove}
          >
            Remove
          </Menu.Item>
        </MoreMenu>
      </Group>
    </Group>
  );
}
