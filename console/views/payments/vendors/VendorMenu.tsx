import { Menu } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { confirm } from '../../../pieces/confirm.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { isDeletable, isEditable } from './vendor-words.ts';
import { DELETE, type ListedVendor } from './vendors-query.ts';

type VendorMenuProps = { readonly vendor: ListedVendor; readonly onEdit: () => void };

/** For owners. */
export function VendorMenu({ vendor: { id, name, status }, onEdit }: VendorMenuProps) {
  const { run } = useAction(DELETE, { done: `“${name}” was deleted.` });
  if (!isEditable(status)) return null;
  const askFirst = () =>
    confirm({
      title: `Delete “${name}”`,
      confirm: 'Delete vendor',
      isDangerous: true,
      children: 'New orders can’t pay the vendor. This can’t be undone.',
      onConfirm: () => void run({ id }),
    });
  return (
    <MoreMenu label={`Actions for ${name}`} widthPx={160} isQuiet>
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
        Edit
      </Menu.Item>
      {isDeletable(status) && (
        <Menu.Item
          leftSection={<IconTrash size={16} />}
          c="var(--mantine-color-error)"
          onClick={askFirst}
        >
          Delete
        </Menu.Item>
      )}
    </MoreMenu>
  );
}
