import { Button, Group, Menu } from '@mantine/core';
import {
  IconArrowForwardUp,
  IconArrowUpRight,
  IconCheck,
  IconGitBranch,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { confirm } from '../../../pieces/confirm.tsx';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { Rollout, type RolloutDeed } from '../rollout/Rollout.tsx';
import { editPath } from '../template-paths.ts';
import type { Template } from '../template-query.ts';
import { DISCARD, RESTORE, TAKE_BACK } from '../version-mutations.ts';
import type { Version } from '../version-query.ts';

type VersionActionsProps = { readonly template: Template; readonly version: Version };

/** The actions that its state allows; the first is the most likely one. */
export function VersionActions({ template, version }: VersionActionsProps) {
  const [deed, setDeed] = useState<RolloutDeed>();
  const isOwner = useMay('OWNER');
  const takeBack = useAction(TAKE_BACK, {
    done: 'Submission withdrawn. The version is a draft again.',
  });
  const restore = useRestore(template, version);
  if (template.archivedAt !== null) return null;
  const { id, state } = version;
  return (
    <Group gap="xs">
      {state === 'DRAFT' && (
        <>
          <Button
            component={Link}
            href={editPath(template.id, id)}
            variant="default"
            size="sm"
            leftSection={<IconPencil size={16} />}
          >
            Edit
          </Button>
          <Button
            size="sm"
            leftSection={<IconArrowUpRight size={16} />}
            onClick={() => setDeed('submit')}
          >
            Publish
          </Button>
        </>
      )}
      {state === 'SUBMITTED' && (
        <Button
          variant="default"
          size="sm"
          loading={takeBack.isRunning}
          onClick={() => void takeBack.run({ id })}
        >
          Withdraw submission
        </Button>
      )}
      {(state === 'APPROVED' || state === 'SUPERSEDED') && isOwner && (
        <Button
          size="sm"
          variant={state === 'APPROVED' ? 'filled' : 'default'}
          leftSection={<IconCheck size={16} />}
          onClick={() => setDeed('activate')}
        >
          Activate
        </Button>
      )}
      {(state === 'REJECTED' || state === 'ACTIVE') && (
        <Button
          size="sm"
          variant={state === 'REJECTED' ? 'filled' : 'default'}
          leftSection={<IconGitBranch size={16} />}
          loading={restore.isRunning}
          onClick={restore.run}
        >
          Duplicate as draft
        </Button>
      )}
      <More
        version={version}
        onRestore={restore.run}
        {...(isOwner && version.isSendable && { onForce: () => setDeed('force') })}
      />
      <Rollout version={version} deed={deed} onClose={() => setDeed(undefined)} />
    </Group>
  );
}

type MoreProps = {
  readonly version: Version;
  readonly onRestore: () => void;
  readonly onForce?: () => void;
};

function More({ version, onRestore, onForce }: MoreProps) {
  const { state, number } = version;
  const discard = useDiscard(version);
  const isOffered = state !== 'REJECTED' && state !== 'ACTIVE';
  const isDiscardable = state === 'DRAFT' || state === 'REJECTED';
  if (!isOffered && !isDiscardable && onForce === undefined) return null;
  return (
    <MoreMenu label={`More for version ${number}`} widthPx={250}>
      {isOffered && (
        <Menu.Item leftSection={<IconGitBranch size={16} />} onClick={onRestore}>
          Duplicate as draft
        </Menu.Item>
      )}
      {onForce && (
        <Menu.Item leftSection={<IconArrowForwardUp size={16} />} onClick={onForce}>
          Move people in flight to it
        </Menu.Item>
      )}
      {isDiscardable && (
        <Menu.Item
          leftSection={<IconTrash size={16} />}
          c="var(--mantine-color-error)"
          onClick={discard}
        >
          Discard
        </Menu.Item>
      )}
    </MoreMenu>
  );
}

function useRestore({ id: templateId }: Template, { id }: Version) {
  const [, go] = useLocation();
  const { run, isRunning } = useAction(RESTORE);
  const restore = async () => {
    const made = (await run({ id, input: {} }))?.templateVersionRestore?.templateVersion;
    if (made) go(editPath(templateId, made.id));
  };
  return { run: () => void restore(), isRunning };
}

function useDiscard({ id, number }: Version): () => void {
  const { run } = useAction(DISCARD, { done: `Version ${number} was discarded.` });
  return () =>
    confirm({
      title: `Discard version ${number}`,
      confirm: 'Discard version',
      isDangerous: true,
      children:
        'It is archived and stays in the history. You can still duplicate it as a new draft.',
      onConfirm: () => void run({ id }),
    });
}
