import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { IconX } from '@tabler/icons-react';

type RemoveButtonProps = Pick<ActionIconProps, 'mt' | 'disabled'> & {
  /** What is removed, such as "Condition 1". */
  readonly label: string;
  readonly onClick: () => void;
};

/** At the end of a row of fields, as high as one of them. */
export function RemoveButton({ label, ...props }: RemoveButtonProps) {
  return (
    <ActionIcon
      {...props}
      variant="subtle"
      color="gray"
      size={36}
      aria-label={`Remove ${label.toLowerCase()}`}
    >
      <IconX size={16} />
    </ActionIcon>
  );
}
