import { Badge } from '@mantine/core';
import { inPlainWords } from './in-words.ts';

export type Tone = 'good' | 'waiting' | 'bad' | 'quiet' | 'info';

const COLORS: Record<Tone, string> = {
  good: 'light-dark(#116329, #7ee2a0)',
  waiting: 'light-dark(#8a4b00, #ffc46b)',
  bad: 'light-dark(#a51111, #ff9b9b)',
  quiet: 'light-dark(#4b5563, #aeb8c9)',
  info: 'light-dark(#2f3fa3, #a9b8ff)',
};
/** What is as it should be stands back, so that exceptions are seen. */
const UNFRAMED: ReadonlySet<Tone> = new Set(['good', 'quiet']);

type StateProps = {
  /** The API's name of the state; displayed in plain words. */
  readonly name: string;
  readonly tone?: Tone | undefined;
  readonly label?: string;
};

/** The word identifies the state; the color is only an addition. */
export function State({ name, tone = 'quiet', label }: StateProps) {
  const isFramed = !UNFRAMED.has(tone);
  const color = COLORS[isFramed ? tone : 'quiet'];
  return (
    <Badge
      variant="default"
      tt="none"
      fw={isFramed ? 600 : 500}
      radius="sm"
      {...(!isFramed && { px: 0, leftSection: <Dot color={COLORS[tone]} /> })}
      style={{
        color,
        borderColor: isFramed ? `color-mix(in srgb, ${color} 35%, transparent)` : 'transparent',
        background: isFramed ? `color-mix(in srgb, ${color} 8%, transparent)` : 'transparent',
        flexShrink: 0,
        // In a narrow column the table scrolls instead of truncating the word.
        minWidth: 'max-content',
      }}
    >
      {label ?? inPlainWords(name)}
    </Badge>
  );
}

function Dot({ color }: { readonly color: string }) {
  return (
    <span
      aria-hidden
      style={{ display: 'block', width: 7, height: 7, borderRadius: '50%', background: color }}
    />
  );
}
