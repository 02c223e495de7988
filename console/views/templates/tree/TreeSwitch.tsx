import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';
import { CHANNELS, inLanguage } from '../../../pieces/channels.tsx';
import { versionPath } from '../template-paths.ts';
import { mainVersionOf, type VersionTree } from './version-trees.ts';

type TreeSwitchProps = {
  readonly templateId: string;
  readonly trees: readonly VersionTree[];
  readonly selectedKey: string;
};

/** The channels and languages that a template has; each has versions of its own. */
export function TreeSwitch({ templateId, trees, selectedKey }: TreeSwitchProps) {
  return (
    <Group component="nav" gap="xs" aria-label="Channels and languages">
      {trees.map(tree => {
        const { label, icon: Icon } = CHANNELS[tree.channel];
        const isHere = tree.key === selectedKey;
        return (
          <Button
            key={tree.key}
            component={Link}
            href={versionPath(templateId, mainVersionOf(tree).id)}
            variant={isHere ? 'filled' : 'default'}
            aria-current={isHere}
            size="sm"
            leftSection={<Icon size={17} stroke={1.7} />}
          >
            {label} · {inLanguage(tree.language)}
          </Button>
        );
      })}
    </Group>
  );
}
