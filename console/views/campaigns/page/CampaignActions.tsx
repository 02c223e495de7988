import { Button, Menu } from '@mantine/core';
import {
  IconArchive,
  IconCopy,
  IconPencil,
  IconPlayerPause,
  IconRocket,
} from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { confirm } from '../../../pieces/confirm.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import type { Campaign } from '../campaign-query.ts';
import { useMayEdit } from '../use-may-edit.ts';

const PAUSE = graphql(`
  mutation CampaignPause($id: ID!) {
    campaignPause(id: $id) {
      campaign { id status version updatedAt }
      userErrors { message field }
    }
  }
`);

const ARCHIVE = graphql(`
  mutation CampaignArchive($id: ID!) {
    campaignArchive(id: $id) {
      campaign { id status version updatedAt }
      userErrors { message field }
    }
  }
`);

const DUPLICATE = graphql(`
  mutation CampaignDuplicate($id: ID!) {
    campaignDuplicate(id: $id) { campaign { id } userErrors { message field } }
  }
`);

type CampaignActionsProps = { readonly campaign: Campaign; readonly onLaunch: () => void };

export function CampaignActions({ campaign, onLaunch }: CampaignActionsProps) {
  const { id, status } = campaign;
  const isOwner = useMay('OWNER');
  const mayEdit = useMayEdit(campaign);
  const pause = usePause(campaign);
  return (
    <>
      {mayEdit && (
        <Button
          component={Link}
          href={`/campaigns/${id}/edit`}
          variant="default"
          leftSection={<IconPencil size={17} />}
        >
          Edit
        </Button>
      )}
      {isOwner && status === 'LIVE' && (
        <Button leftSection={<IconPlayerPause size={17} />} onClick={pause}>
          Pause
        </Button>
      )}
      {isOwner && (status === 'DRAFT' || status === 'PAUSED') && (
        <Button leftSection={<IconRocket size={17} />} onClick={onLaunch}>
          Launch
        </Button>
      )}
      <MoreActions campaign={campaign} isOwner={isOwner} />
    </>
  );
}

type MoreActionsProps = { readonly campaign: Campaign; readonly isOwner: boolean };

function MoreActions({ campaign, isOwner }: MoreActionsProps) {
  const duplicate = useDuplicate(campaign);
  const archive = useArchive(campaign);
  return (
    <MoreMenu label="More actions" widthPx={180}>
      <Menu.Item leftSection={<IconCopy size={16} />} onClick={duplicate}>
        Duplicate
      </Menu.Item>
      {isOwner && campaign.status !== 'ARCHIVED' && (
        <Menu.Item
          leftSection={<IconArchive size={16} />}
          c="var(--mantine-color-error)"
          onClick={archive}
        >
          Archive
        </Menu.Item>
      )}
    </MoreMenu>
  );
}

function usePause({ id, name }: Campaign): () => void {
  const { run } = useAction(PAUSE, { done: `“${name}” was paused.` });
  return () =>
    confirm({
      title: `Pause “${name}”`,
      confirm: 'Pause the campaign',
      children: 'It is no longer shown, from the next second until it is launched again.',
      onConfirm: () => void run({ id }),
    });
}

function useArchive({ id, name, status }: Campaign): () => void {
  const { run } = useAction(ARCHIVE, { done: `“${name}” was archived.` });
  return () =>
    confirm({
      title: `Archive “${name}”`,
      confirm: 'Archive the campaign',
      isDangerous: true,
      children: `${status === 'LIVE' ? 'It is live, and will no longer be shown. ' : ''}This can’t be undone, but the campaign can be duplicated at any time.`,
      onConfirm: () => void run({ id }),
    });
}

function useDuplicate({ id, name }: Campaign): () => void {
  const { run } = useAction(DUPLICATE, { done: `A draft was made of “${name}”.` });
  const [, go] = useLocation();
  return () =>
    void run({ id }).then(done => {
      const copy = done?.campaignDuplicate?.campaign;
      if (copy) go(`/campaigns/${copy.id}`);
    });
}
