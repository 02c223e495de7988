import { Menu } from '@mantine/core';
import { IconBell, IconBellOff, IconDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { confirm } from '../../pieces/confirm.tsx';
import { Dialog } from '../../pieces/Dialog.tsx';
import { MoreMenu } from '../../pieces/MoreMenu.tsx';
import { useAction } from '../../pieces/use-action.tsx';
import { useMay } from '../../session/ViewerProvider.tsx';
import type { Person } from './person-query.ts';
import { ErasePerson } from './privacy/ErasePerson.tsx';
import { ExportPerson } from './privacy/ExportPerson.tsx';

const SUPPRESS = graphql(`
  mutation ContactSuppress($id: ID!) {
    contactSuppress(id: $id) { contact { id suppressedAt } userErrors { message field } }
  }
`);

const UNSUPPRESS = graphql(`
  mutation ContactUnsuppress($id: ID!) {
    contactUnsuppress(id: $id) { contact { id suppressedAt } userErrors { message field } }
  }
`);

const TITLES = { export: 'Export personal data', erase: 'Erase this person' };

type PersonMenuProps = {
  readonly userId: string;
  readonly person: Person | undefined;
  readonly onErasing: (erasureId: string) => void;
};

/** For owners: suppression, and what a person may demand by law. */
export function PersonMenu({ userId, person, onErasing }: PersonMenuProps) {
  const [opened, setOpened] = useState<keyof typeof TITLES>();
  const isOwner = useMay('OWNER');
  if (!isOwner) return null;
  const close = () => setOpened(undefined);
  return (
    <>
      <MoreMenu label={`Actions for ${userId}`} widthPx={220}>
        {person && <SuppressItem person={person} />}
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => setOpened('export')}>
          {TITLES.export}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTrash size={16} />}
          c="var(--mantine-color-error)"
          onClick={() => setOpened('erase')}
        >
          {TITLES.erase}
        </Menu.Item>
      </MoreMenu>
      <Dialog
        opened={opened !== undefined}
        onClose={close}
        size="lg"
        title={opened && TITLES[opened]}
      >
        {opened === 'export' && <ExportPerson userId={userId} onDone={close} />}
        {opened === 'erase' && <ErasePerson userId={userId} onDone={onErasing} onCancel={close} />}
      </Dialog>
    </>
  );
}

function SuppressItem({ person: { id, userId, suppressedAt } }: { readonly person: Person }) {
  const suppress = useAction(SUPPRESS, { done: `${userId} is suppressed.` });
  const unsuppress = useAction(UNSUPPRESS, { done: `${userId} is no longer suppressed.` });
  if (suppressedAt !== null)
    return (
      <Menu.Item
        leftSection={<IconBell size={16} />}
        onClick={() =>
          confirm({
            title: `Unsuppress ${userId}`,
            confirm: 'Unsuppress',
            children: 'Their earlier consents apply again.',
            onConfirm: () => void unsuppress.run({ id }),
          })
        }
      >
        Unsuppress
      </Menu.Item>
    );
  return (
    <Menu.Item
      leftSection={<IconBellOff size={16} />}
      onClick={() =>
        confirm({
          title: `Suppress ${userId}`,
          confirm: 'Suppress',
          isDangerous: true,
          children:
            'Until you unsuppress them, they receive no journey messages and no marketing campaigns, regardless of their consents.',
          onConfirm: () => void suppress.run({ id }),
        })
      }
    >
      Suppress
    </Menu.Item>
  );
}
