// The versions of a template, by channel and language: each pair has a tree of its own.

import { CHANNEL_ORDER } from '../../../pieces/channels.tsx';
import type { VersionRow } from '../template-query.ts';

export type VersionTree = {
  readonly key: string;
  readonly channel: VersionRow['channel'];
  readonly language: string;
  /** The newest first. */
  readonly versions: readonly VersionRow[];
};

export function treesOf(versions: readonly VersionRow[]): VersionTree[] {
  const byKey = Map.groupBy(versions, keyOf);
  const trees = [...byKey].map(([key, members]) => {
    const { channel, language } = members[0]!;
    return { key, channel, language, versions: members.toSorted((a, b) => b.number - a.number) };
  });
  return trees.toSorted(
    (a, b) =>
      CHANNEL_ORDER.indexOf(a.channel) - CHANNEL_ORDER.indexOf(b.channel) ||
      a.language.localeCompare(b.language),
  );
}

export function keyOf({ channel, language }: Pick<VersionRow, 'channel' | 'language'>): string {
  return `${channel} ${language}`;
}

/** The version selected by default: the Active one, otherwise the latest relevant one. */
export function mainVersionOf({ versions }: VersionTree): VersionRow {
  return (
    versions.find(({ state }) => state === 'ACTIVE') ??
    versions.find(({ state }) => state !== 'ARCHIVED') ??
    versions[0]!
  );
}
