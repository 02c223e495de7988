import { Button, Menu, Stack, Text } from '@mantine/core';
import { IconCalendarTime, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { MoreMenu } from '../../../pieces/MoreMenu.tsx';
import { PagedTable } from '../../../pieces/PagedTable.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { When } from '../../../pieces/When.tsx';
import { RetentionForm } from './RetentionForm.tsx';
import { DATASETS, RULE_REMOVE, RULES, type Rule } from './retention-query.ts';

/** Undefined rule: a new one. */
type Opened = { readonly rule: Rule | undefined };

/** For how many days rows are kept; without a rule, they are kept for ever. */
export function RetentionRules({ isOwner }: { readonly isOwner: boolean }) {
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const edit: Column<Rule> = {
    title: 'Actions',
    cell: rule => <RuleMenu rule={rule} onEdit={() => setOpened({ rule })} />,
  };
  return (
    <Card
      title="Retention"
      isFlush
      actions={
        isOwner && (
          <Button
            variant="default"
            leftSection={<IconPlus size={17} />}
            onClick={() => setOpened({ rule: undefined })}
          >
            New rule
          </Button>
        )
      }
    >
      <PagedTable
        label="Retention rules"
        document={RULES}
        variables={{}}
        connectionOf={data => data.retentionRules}
        typename="RetentionRule"
        keyOf={({ id }) => id}
        columns={isOwner ? [...COLUMNS, edit] : COLUMNS}
        empty={
          <Empty title="No retention rules yet" icon={IconCalendarTime}>
            All data is kept. A rule deletes old rows once a day.
          </Empty>
        }
      />
      <Dialog
        opened={opened !== undefined}
        onClose={close}
        title={
          opened?.rule === undefined ? 'New rule' : `Change the rule for ${nameOf(opened.rule)}`
        }
      >
        <RetentionForm key={opened?.rule?.id} rule={opened?.rule} onDone={close} />
      </Dialog>
    </Card>
  );
}

function nameOf({ dataset }: Rule): string {
  return DATASETS[dataset].toLowerCase();
}

const COLUMNS: readonly Column<Rule>[] = [
  {
    title: 'Data',
    cell: ({ dataset, keepDays }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {DATASETS[dataset]}
        </Text>
        <Text size="xs" c="dimmed">
          kept for {inCount(keepDays)} {keepDays === 1 ? 'day' : 'days'}
        </Text>
      </Stack>
    ),
  },
  { title: 'Effective', cell: ({ effectiveAt }) => <When at={effectiveAt} /> },
  {
    title: 'Last applied',
    isWide: true,
    cell: ({ lastRunAt }) => <When at={lastRunAt} never="Not yet" isRelative />,
  },
  {
    title: 'Rows deleted',
    isWide: true,
    isNumber: true,
    cell: ({ deletedRows }) => inCount(deletedRows),
  },
];

function RuleMenu({ rule, onEdit }: { readonly rule: Rule; readonly onEdit: () => void }) {
  const { run } = useAction(RULE_REMOVE, {
    done: 'The rule was removed.',
    changes: ['RetentionRule'],
  });
  const remove = () =>
    confirm({
      title: `Remove rule for ${nameOf(rule)}`,
      confirm: 'Remove rule',
      children: 'No more rows are deleted. Rows that were already deleted can’t be restored.',
      onConfirm: () => void run({ id: rule.id }),
    });
  return (
    <MoreMenu label={`Actions for ${nameOf(rule)}`} widthPx={160} isQuiet>
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
        Edit
      </Menu.Item>
      <Menu.Item
        leftSection={<IconTrash size={16} />}
        c="var(--mantine-color-error)"
        onClick={remove}
      >
        Remove
      </Menu.Item>
    </MoreMenu>
  );
}
