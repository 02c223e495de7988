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

type StateProps = {
  /** The API's name of the state; displayed in plain words. */
  readonly name: string;
  readonly tone?: Tone | undefined;
  readonly label?: string;
};

/** The word identifies the state; the color is only an addition. */
export function State({ name, tone = 'quiet', label }: StateProps) {
  return (
    <Badge
      variant="default"
      tt="none"
      fw={600}
      radius="sm"
      style={{
        color: COLORS[tone],
        borderColor: `color-mix(in srgb, ${COLORS[tone]} 35%, transparent)`,
        background: `color-mix(in srgb, ${COLORS[tone]} 8%, transparent)`,
        flexShrink: 0,
        // In a narrow column the table scrolls instead of truncating the word.
        minWidth: 'max-content',
      }}
    >
      {label ?? inPlainWords(name)}
    </Badge>
  );
}
