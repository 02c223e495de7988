import { Button, CopyButton, Group, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

type CopyFieldProps = { readonly label: string; readonly value: string };

/** A line of text to copy, such as a link. */
export function CopyField({ label, value }: CopyFieldProps) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        label={label}
        value={value}
        readOnly
        flex={1}
        onFocus={({ currentTarget }) => currentTarget.select()}
        classNames={{ input: 'mono' }}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            leftSection={copied ? <IconCheck size={17} /> : <IconCopy size={17} />}
            onClick={copy}
            miw={110}
            data-autofocus
          >
            <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
