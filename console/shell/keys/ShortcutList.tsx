import { Group, Kbd, Modal, Table } from '@mantine/core';
import { SHORTCUTS } from './shortcuts.ts';

type ShortcutListProps = { readonly isOpen: boolean; readonly onClose: () => void };

export default function ShortcutList({ isOpen, onClose }: ShortcutListProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <Table>
        <Table.Tbody>
          {SHORTCUTS.map(({ keys, does }) => (
            <Table.Tr key={does}>
              <Table.Td>{does}</Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  {keys.map(key => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
