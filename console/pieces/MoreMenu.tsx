import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type MoreMenuProps = {
  /** For who can't see the dots. */
  readonly label: string;
  readonly widthPx: number;
  /** In a row of a table or on a card, where a frame would weigh too much. */
  readonly isQuiet?: boolean;
  /** Menu.Items. */
  readonly children: ReactNode;
};

/** A menu of actions without a button of their own. */
export function MoreMenu({ label, widthPx, isQuiet = false, children }: MoreMenuProps) {
  return (
    <Menu position="bottom-end" width={widthPx}>
      <Menu.Target>
        <ActionIcon
          {...(isQuiet ? { variant: 'subtle', color: 'gray' } : { variant: 'default', size: 36 })}
          aria-label={label}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
