import { Button, Center, Group, Stack, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconPinFilled, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { inCount } from '../../../pieces/in-words.ts';
import { State } from '../../../pieces/State.tsx';
import { When } from '../../../pieces/When.tsx';
import { versionPath } from '../template-paths.ts';
import type { VersionRow } from '../template-query.ts';
import { VERSION_STATES } from '../version-states.ts';
import { type LaneRow, laneCount, lanesOf } from './lanes.ts';
import { Rail } from './Rail.tsx';
import classes from './tree.module.css';

/** The number of versions that fit next to the selected one. */
const SHOWN_AT_FIRST = 8;

type VersionListProps = {
  readonly templateId: string;
  /** Of one tree, the newest first. */
  readonly versions: readonly VersionRow[];
  readonly selectedId: string;
};

/** A tree of versions: their origins, states and numbers of people in flight. */
export function VersionList({ templateId, versions, selectedId }: VersionListProps) {
  const [isWhole, setIsWhole] = useState(false);
  const lanes = lanesOf(versions);
  const numbers = new Map(versions.map(({ id, number }) => [id, number]));
  const selectedAt = versions.findIndex(({ id }) => id === selectedId);
  const shown = isWhole ? versions.length : Math.max(SHOWN_AT_FIRST, selectedAt + 1);
  return (
    <>
      <ol className={classes.list} aria-label="Versions, newest first">
        {versions.slice(0, shown).map((version, at) => (
          <li key={version.id}>
            <Link
              className={classes.row}
              href={versionPath(templateId, version.id)}
              aria-current={version.id === selectedId}
            >
              <Rail row={lanes[at] as LaneRow} lanes={laneCount(lanes)} state={version.state} />
              <VersionText
                version={version}
                from={version.basedOnId === null ? undefined : numbers.get(version.basedOnId)}
              />
            </Link>
          </li>
        ))}
      </ol>
      {shown < versions.length && (
        <Center p="sm">
          <Button variant="default" size="xs" onClick={() => setIsWhole(true)}>
            Show {inCount(versions.length - shown)} earlier versions
          </Button>
        </Center>
      )}
    </>
  );
}

type VersionTextProps = { readonly version: VersionRow; readonly from: number | undefined };

function VersionText({ version, from }: VersionTextProps) {
  const { number, state, note, createdAt, createdBy, isPinnedActive, pinnedCount } = version;
  const { tone, label } = VERSION_STATES[state];
  return (
    <Stack gap={2} className={classes.text!}>
      <Group gap={8} wrap="nowrap">
        <Text size="sm" fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
          v{number}
        </Text>
        <State name={state} tone={tone} label={label} />
        {isPinnedActive && (
          <Tooltip label="Kept active by an operator, although a newer version was approved">
            <IconPinFilled size={15} role="img" aria-label="Kept active by an operator" />
          </Tooltip>
        )}
        {pinnedCount > 0 && <Held count={pinnedCount} />}
      </Group>
      {note !== '' && (
        <Text size="xs" lineClamp={2}>
          {note}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        <When at={createdAt} isRelative />
        {` by ${createdBy}`}
        {from !== undefined && from !== number - 1 && `, from v${from}`}
        {from !== undefined && from === number - 1 && (
          <VisuallyHidden>, from v{from}</VisuallyHidden>
        )}
      </Text>
    </Stack>
  );
}

function Held({ count }: { readonly count: number }) {
  const words = `${inCount(count)} in flight`;
  return (
    <Tooltip label={words}>
      <Group gap={4} ms="auto" wrap="nowrap" role="img" aria-label={words}>
        <IconUsers size={15} stroke={1.7} />
        <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {inCount(count)}
        </Text>
      </Group>
    </Tooltip>
  );
}
