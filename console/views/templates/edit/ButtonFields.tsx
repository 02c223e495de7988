import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { TemplateButton } from '../version-query.ts';

const TYPES: { value: TemplateButton['type']; label: string }[] = [
  { value: 'URL', label: 'Open URL' },
  { value: 'PHONE', label: 'Call' },
  { value: 'QUICK_REPLY', label: 'Quick reply' },
  { value: 'COPY_CODE', label: 'Copy text' },
  { value: 'OTP', label: 'Copy OTP code' },
];

/** The field with the target of a button; undefined for buttons without a target. */
const TARGETS = { URL: 'url', PHONE: 'phoneNumber', COPY_CODE: 'code' } as const;
const BLANK = { text: '', url: null, phoneNumber: null, code: null };

type ButtonFieldsProps = {
  readonly buttons: readonly TemplateButton[];
  readonly onChange: (buttons: readonly TemplateButton[]) => void;
};

export function ButtonFields({ buttons, onChange }: ButtonFieldsProps) {
  const change = (at: number, part: Partial<TemplateButton>) =>
    onChange(buttons.map((button, index) => (index === at ? { ...button, ...part } : button)));
  return (
    <Stack gap="xs" role="group" aria-label="Buttons">
      <Text size="sm" fw={500}>
        Buttons
      </Text>
      {buttons.map((button, at) => (
        <Fields
          key={at}
          button={button}
          name={`Button ${at + 1}`}
          onChange={part => change(at, part)}
          onRemove={() => onChange(buttons.filter((_button, index) => index !== at))}
        />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} />}
          onClick={() => onChange([...buttons, { ...BLANK, type: 'QUICK_REPLY' }])}
        >
          Add button
        </Button>
      </Group>
    </Stack>
  );
}

type FieldsProps = {
  readonly button: TemplateButton;
  readonly name: string;
  readonly onChange: (part: Partial<TemplateButton>) => void;
  readonly onRemove: () => void;
};

function Fields({ button, name, onChange, onRemove }: FieldsProps) {
  const target = button.type in TARGETS ? TARGETS[button.type as keyof typeof TARGETS] : undefined;
  return (
    <Group gap="xs" align="flex-start">
      <Select
        aria-label={`${name}: type`}
        w={130}
        allowDeselect={false}
        data={TYPES}
        value={button.type}
        onChange={type =>
          onChange({ ...BLANK, text: button.text, type: type as TemplateButton['type'] })
        }
      />
      <TextInput
        aria-label={`${name}: label`}
        placeholder="Label"
        flex="1 1 110px"
        value={button.text}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      {target && (
        <TextInput
          aria-label={`${name}: target`}
          placeholder={target === 'url' ? 'https://…' : ''}
          flex="2 1 150px"
          value={button[target] ?? ''}
          onChange={({ currentTarget }) => onChange({ [target]: currentTarget.value })}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        onClick={onRemove}
        aria-label={`Remove ${name.toLowerCase()}`}
      >
        <IconTrash size={17} />
      </ActionIcon>
    </Group>
  );
}
