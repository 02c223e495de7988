import { Button, Group, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCopy } from './use-copy.ts';

type CopyFieldProps = {
  readonly label: string;
  readonly value: string;
  /** Beside a more important button. */
  readonly isQuiet?: boolean;
  readonly onCopy?: () => void;
};

/** A line of text to copy, such as a link. */
export function CopyField({ label, value, isQuiet = false, onCopy }: CopyFieldProps) {
  const { isCopied, copy } = useCopy(onCopy);
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
      <Button
        leftSection={isCopied ? <IconCheck size={17} /> : <IconCopy size={17} />}
        onClick={() => copy(value)}
        miw={110}
        {...(isQuiet ? { variant: 'default' } : { 'data-autofocus': true })}
      >
        <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
      </Button>
    </Group>
  );
}
