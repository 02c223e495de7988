import { Code, Stack, Text } from '@mantine/core';
import { CopyIcon } from '../../pieces/CopyIcon.tsx';
import { inCount } from '../../pieces/in-words.ts';
import { State } from '../../pieces/State.tsx';
import type { Column } from '../../pieces/Table.tsx';
import { When } from '../../pieces/When.tsx';
import { ACCEPTS } from './accepts-words.ts';
import type { SdkKey } from './keys-query.ts';

/** When an event last arrived while the test code of its key was shown, by the ID of the key. */
export type Arrivals = Readonly<Record<string, string>>;

type Moment = {
  /** The key that the viewer has just rotated to. */
  readonly freshKey: string | undefined;
  readonly onFocus: () => void;
  readonly arrivals: Arrivals;
};

export function columnsOf({ freshKey, onFocus, arrivals }: Moment): readonly Column<SdkKey>[] {
  return [
    {
      title: 'Key',
      cell: ({ name, writeKey }) => (
        <Stack gap={2}>
          <Text fw={600} size="sm">
            {name}
          </Text>
          <CopyIcon
            text={writeKey}
            label={`key ${writeKey}`}
            isFresh={writeKey === freshKey}
            onFocus={onFocus}
          >
            <Code>{writeKey}</Code>
          </CopyIcon>
        </Stack>
      ),
    },
    { title: 'State', cell: key => <KeyState sdkKey={key} /> },
    ...SETTINGS,
    {
      title: 'Last used',
      isWide: true,
      cell: ({ id, lastUsedAt }) => (
        <When at={laterOf(arrivals[id], lastUsedAt)} never="Never" isRelative />
      ),
    },
  ];
}

const SETTINGS: readonly Column<SdkKey>[] = [
  { title: 'Accepts', isWide: true, cell: ({ accepts }) => ACCEPTS[accepts].label },
  {
    title: 'Limits',
    isWide: true,
    cell: key => (
      <Stack gap={2}>
        <Text size="sm">{capsOf(key)}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {key.origins.length === 0 ? 'Any origin' : key.origins.join(', ')}
        </Text>
      </Stack>
    ),
  },
  { title: 'Created', isWide: true, cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
];

function KeyState({ sdkKey }: { readonly sdkKey: SdkKey }) {
  const { replacedBy, rotatedFrom } = sdkKey;
  return (
    <Stack gap={2}>
      <OwnState sdkKey={sdkKey} />
      {replacedBy !== null && <Relation what="replaced by" writeKey={replacedBy.writeKey} />}
      {rotatedFrom !== null && <Relation what="replaces" writeKey={rotatedFrom.writeKey} />}
    </Stack>
  );
}

function OwnState({ sdkKey }: { readonly sdkKey: SdkKey }) {
  const { isActive, revokedAt, expiresAt } = sdkKey;
  if (revokedAt !== null) return <State name="REVOKED" tone="bad" />;
  if (!isActive) return <State name="EXPIRED" />;
  if (expiresAt === null) return <State name="ACTIVE" tone="good" />;
  return (
    <>
      <State name="REPLACED" tone="waiting" />
      <Text size="xs" c="dimmed">
        works until <When at={expiresAt} />
      </Text>
    </>
  );
}

/** Enough of a key to find it in the list. */
const KEY_SHOWN_CHARS = 9;

function Relation({ what, writeKey }: { readonly what: string; readonly writeKey: string }) {
  return (
    <Text size="xs" c="dimmed">
      {what} <span className="mono">{writeKey.slice(0, KEY_SHOWN_CHARS)}…</span>
    </Text>
  );
}

function capsOf({ minuteCap, hourCap }: SdkKey): string {
  const caps = [
    minuteCap !== null && `${inCount(minuteCap)} / minute`,
    hourCap !== null && `${inCount(hourCap)} / hour`,
  ].filter(cap => cap !== false);
  return caps.length === 0 ? 'No limit' : caps.join(', ');
}

function laterOf(one: string | undefined, other: string | null): string | null {
  if (one === undefined) return other;
  return other !== null && Date.parse(other) > Date.parse(one) ? other : one;
}
