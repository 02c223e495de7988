import { Button, Menu } from '@mantine/core';
import { IconArchive, IconPencil } from '@tabler/icons-react';
import { Link } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { confirm } from '../../../pieces/confirm.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { editPath } from '../segment-paths.ts';
import { MESSAGES, type Segment } from '../segment-query.ts';

const ARCHIVE = graphql(`
  mutation SegmentArchive($id: ID!) {
    segmentArchive(id: $id) { segment { id archivedAt } userErrors { message field code } }
  }
`);

/** For owners, since campaigns and journeys may use the segment. */
export function SegmentActions({ segment }: { readonly segment: Segment }) {
  const { id, name, archivedAt } = segment;
  const { run } = useAction(ARCHIVE, { done: `“${name}” was archived.`, messages: MESSAGES });
  if (!useMay('OWNER') || archivedAt !== null) return null;
  const ask = () =>
    confirm({
      title: `Archive “${name}”`,
      confirm: 'Archive segment',
      isDangerous: true,
      children:
        'Its members are removed from it, and it can no longer be used. This can’t be undone.',
      onConfirm: () => void run({ id }),
    });
  return (
    <>
      <Button
        component={Link}
        href={editPath(id)}
        variant="default"
        leftSection={<IconPencil size={17} />}
      >
        Edit
      </Button>
      <MoreMenu label="More actions" widthPx={180}>
        <Menu.Item
          leftSection={<IconArchive size={16} />}
          c="var(--mantine-color-error)"
          onClick={ask}
        >
          Archive
        </Menu.Item>
      </MoreMenu>
    </>
  );
}
