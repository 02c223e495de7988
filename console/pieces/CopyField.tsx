import { Button, CopyButton, Group, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

type CopyFieldProps = {
  readonly label: string;
  readonly value: string;
  /** Beside a more important button. */
  readonly isQuiet?: boolean;
  readonly onCopy?: () => void;
};

/** A line of text to copy, such as a link. */
export function CopyField({ label, value, isQuiet = false, onCopy }: CopyFieldProps) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        label={label}
        value={value}
        readOnly
        flex={1}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onCopy={onCopy}
        classNames={{ input: 'mono' }}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            leftSection={copied ? <IconCheck size={17} /> : <IconCopy size={17} />}
            onClick={() => {
              copy();
              onCopy?.();
            }}
            miw={110}
            {...(isQuiet ? { variant: 'default' } : { 'data-autofocus': true })}
          >
            <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
