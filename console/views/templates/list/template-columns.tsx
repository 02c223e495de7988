import { Anchor, Group, Stack, Text, Tooltip } from '@mantine/core';
import { Link } from 'wouter';
import { CHANNELS, inLanguage } from '../../../pieces/channels.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { State } from '../../../pieces/State.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { templatePath } from '../template-paths.ts';
import type { TemplateRow } from './list-query.ts';
import type { UnderWay } from './use-under-way.ts';

export function columnsOf(underWay: ReadonlyMap<string, UnderWay>): readonly Column<TemplateRow>[] {
  return [
    { title: 'Template', cell: row => <Name row={row} underWay={underWay.get(row.id)} /> },
    { title: 'Active', isWide: true, cell: row => <Active row={row} /> },
    { title: 'In flight', isNumber: true, cell: row => inCount(inFlightOf(row)) },
    {
      title: 'Updated',
      isWide: true,
      cell: ({ updatedAt }) => <When at={updatedAt} isRelative />,
    },
  ];
}

type NameProps = { readonly row: TemplateRow; readonly underWay: UnderWay | undefined };

function Name({ row: { id, name, description }, underWay }: NameProps) {
  return (
    <Stack gap={3}>
      <Group gap="xs">
        <Anchor component={Link} href={templatePath(id)} fw={600} size="sm" underline="hover">
          {name}
        </Anchor>
        {underWay !== undefined && underWay.submitted > 0 && (
          <State name="SUBMITTED" tone="waiting" label={counted(underWay.submitted, 'in review')} />
        )}
        {underWay !== undefined && underWay.drafts > 0 && (
          <State
            name="DRAFT"
            label={counted(underWay.drafts, underWay.drafts === 1 ? 'draft' : 'drafts')}
          />
        )}
      </Group>
      {description !== '' && (
        <Text size="xs" c="dimmed" lineClamp={2} maw={420}>
          {description}
        </Text>
      )}
    </Stack>
  );
}

function counted(count: number, what: string): string {
  return `${inCount(count)} ${what}`;
}

function Active({ row }: { readonly row: TemplateRow }) {
  const active = row.approvedVersions.filter(({ state }) => state === 'ACTIVE');
  if (active.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None
      </Text>
    );
  return (
    <Group gap="md">
      {active.map(({ id, channel, language, number }) => {
        const { label, icon: Icon } = CHANNELS[channel];
        const words = `${label}, ${inLanguage(language)}: version ${number}`;
        return (
          <Tooltip key={id} label={words}>
            <Group gap={5} wrap="nowrap" role="img" aria-label={words}>
              <Icon size={16} stroke={1.7} />
              <Text size="sm">v{number}</Text>
              <Text size="xs" c="dimmed">
                {language}
              </Text>
            </Group>
          </Tooltip>
        );
      })}
    </Group>
  );
}

function inFlightOf({ approvedVersions }: TemplateRow): number {
  return approvedVersions.reduce((sum, { pinnedCount }) => sum + pinnedCount, 0);
}
