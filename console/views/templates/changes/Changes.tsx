import { Group, Select, Stack, Text } from '@mantine/core';
import { IconArrowNarrowRight, IconEqual, IconGitCommit } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { changesPath } from '../template-paths.ts';
import type { Template, VersionRow } from '../template-query.ts';
import type { Version } from '../version-query.ts';
import { VERSION_STATES } from '../version-states.ts';
import { FieldChange } from './FieldChange.tsx';
import { VariableChanges } from './VariableChanges.tsx';

const CHANGES = graphql(`
  query TemplateVersionChanges($id: ID!, $from: ID!) {
    templateVersion(id: $id) {
      id
      diff(from: $from) {
        isBreaking
        fields { field before after }
        variables { name change isBreaking }
      }
    }
  }
`);

type ChangesProps = {
  readonly template: Template;
  readonly version: Version;
  /** The versions of the same channel and language, including this one, newest first. */
  readonly siblings: readonly VersionRow[];
  readonly otherId: string | undefined;
};

/** The differences from another version; by default, from the version it was copied from. */
export default function Changes({ template, version, siblings, otherId }: ChangesProps) {
  const [, go] = useLocation();
  const other = otherOf(version, siblings, otherId);
  if (other === undefined)
    return (
      <Empty title="Nothing to compare with" icon={IconGitCommit}>
        This is the only version for its channel and language.
      </Empty>
    );
  return (
    <Stack gap="lg">
      <Group gap="sm" align="flex-end">
        <Select
          label="Compare with"
          w={220}
          allowDeselect={false}
          data={siblings
            .filter(({ id }) => id !== version.id)
            .map(({ id, number, state }) => ({
              value: id,
              label: `Version ${number} · ${VERSION_STATES[state].label}`,
            }))}
          value={other.id}
          onChange={id => id !== null && go(changesPath(template.id, version.id, id))}
        />
        <Group gap={6} pb={8} visibleFrom="sm">
          <IconArrowNarrowRight size={18} aria-label="to" />
          <Text size="sm" fw={600}>
            Version {version.number}
          </Text>
        </Group>
      </Group>
      <Difference id={version.id} from={other.id} version={version} />
    </Stack>
  );
}

type DifferenceProps = {
  readonly id: string;
  readonly from: string;
  readonly version: Version;
};

function Difference({ id, from, version }: DifferenceProps) {
  const asked = useQuery({ query: CHANGES, variables: { id, from } });
  return (
    <Asked asked={asked} label="Comparing">
      {({ templateVersion }) => {
        const diff = templateVersion?.diff;
        if (!diff) return <Empty title="Version not found" />;
        if (diff.fields.length === 0 && diff.variables.length === 0)
          return (
            <Empty title="No differences" icon={IconEqual}>
              People receive the same message from both versions.
            </Empty>
          );
        return (
          <Stack gap="lg">
            <VariableChanges changes={diff.variables} isBreaking={diff.isBreaking} />
            {diff.fields.map((change: FieldDiff) => (
              <FieldChange key={change.field} change={change} channel={version.channel} />
            ))}
          </Stack>
        );
      }}
    </Asked>
  );
}

type Diff = NonNullable<NonNullable<ResultOf<typeof CHANGES>['templateVersion']>['diff']>;
export type FieldDiff = Diff['fields'][number];
export type VariableDiff = Diff['variables'][number];

function otherOf(
  { id, basedOnId, number }: Version,
  siblings: readonly VersionRow[],
  otherId: string | undefined,
): VersionRow | undefined {
  const others = siblings.filter(sibling => sibling.id !== id);
  return (
    others.find(sibling => sibling.id === otherId) ??
    others.find(sibling => sibling.id === basedOnId) ??
    others.find(sibling => sibling.number < number) ??
    others.at(-1)
  );
}
