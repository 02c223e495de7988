import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconArchive,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconUserPlus,
} from '@tabler/icons-react';
import { Link } from 'wouter';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { editPath } from '../journey-paths.ts';
import type { Journey } from '../journey-query.ts';
import { EnrolForm } from './EnrolForm.tsx';
import { type Changed, useArchive, usePause } from './use-status-actions.tsx';

/** Members edit drafts; what people are already in, owners alone. */
export function useMayEdit({ status }: Pick<Journey, 'status'>): boolean {
  const isOwner = useMay('OWNER');
  return status === 'DRAFT' || (isOwner && status !== 'ARCHIVED');
}

type JourneyActionsProps = {
  readonly journey: Journey;
  readonly onStart: () => void;
  readonly onChanged: (changed: Changed | null | undefined) => void;
};

export function JourneyActions({ journey, onStart, onChanged }: JourneyActionsProps) {
  const { id, status } = journey;
  const isOwner = useMay('OWNER');
  const mayEdit = useMayEdit(journey);
  const pause = usePause(journey, onChanged);
  const archive = useArchive(journey, onChanged);
  return (
    <>
      {mayEdit && (
        <Button
          component={Link}
          href={editPath(id)}
          variant="default"
          leftSection={<IconPencil size={17} />}
        >
          Edit
        </Button>
      )}
      {status === 'ACTIVE' && <Enrol journey={journey} />}
      {isOwner && status === 'ACTIVE' && (
        <Button variant="default" leftSection={<IconPlayerPause size={17} />} onClick={pause}>
          Pause
        </Button>
      )}
      {isOwner && (status === 'DRAFT' || status === 'PAUSED') && (
        <Button leftSection={<IconPlayerPlay size={17} />} onClick={onStart}>
          {status === 'DRAFT' ? 'Start' : 'Resume'}
        </Button>
      )}
      {isOwner && status !== 'ARCHIVED' && (
        <MoreMenu label="More actions" widthPx={180}>
          <Menu.Item
            leftSection={<IconArchive size={16} />}
            c="var(--mantine-color-error)"
            onClick={archive}
          >
            Archive
          </Menu.Item>
        </MoreMenu>
      )}
    </>
  );
}

function Enrol({ journey }: { readonly journey: Journey }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<IconUserPlus size={17} />} onClick={open}>
        Enrol people
      </Button>
      <Dialog opened={isOpen} onClose={close} title={`Enrol people in “${journey.name}”`}>
        <EnrolForm journey={journey} onDone={close} />
      </Dialog>
    </>
  );
}
