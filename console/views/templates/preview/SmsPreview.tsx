import { Group, Text } from '@mantine/core';
import { inCount } from '../../../pieces/in-words.ts';
import type { Preview, Version } from '../version-query.ts';
import classes from './preview.module.css';

/** The capacity of a single message and of a part of a concatenated one (3GPP 23.040). */
const UNITS = { GSM_7: { single: 160, part: 153 }, UCS_2: { single: 70, part: 67 } } as const;

type SmsPreviewProps = { readonly preview: Preview; readonly size: Version['smsSize'] };

export function SmsPreview({ preview, size }: SmsPreviewProps) {
  return (
    <figure className={classes.phone} aria-label="SMS preview">
      <div className={classes.sender}>{preview.header?.text ?? 'No sender'}</div>
      <div className={classes.chat} data-channel="sms">
        <div className={classes.bubble}>
          <div className={classes.text}>{preview.body}</div>
        </div>
      </div>
      {size && <Segments {...size} />}
    </figure>
  );
}

/** Each part is a message to pay for. */
function Segments({ encoding, units, segments }: NonNullable<Version['smsSize']>) {
  const { single, part } = UNITS[encoding === 'UCS_2' ? 'UCS_2' : 'GSM_7'];
  const room = segments === 1 ? single : segments * part;
  return (
    <figcaption className={classes.caption}>
      <Group gap={4} wrap="nowrap" aria-hidden mb={6}>
        {Array.from({ length: segments }, (_none, at) => (
          <div key={at} className={classes.segment}>
            <div style={{ width: `${shareOf(units, segments === 1 ? single : part, at)}%` }} />
          </div>
        ))}
      </Group>
      <Text size="sm" fw={600}>
        {segments === 1 ? '1 message' : `${inCount(segments)} messages`}
      </Text>
      <Text size="xs" c="dimmed">
        {inCount(units)} of {inCount(room)} characters of{' '}
        {encoding === 'UCS_2' ? 'UCS-2, required by a special character' : 'GSM-7'}, with every
        value at its maximum length.
      </Text>
    </figcaption>
  );
}

/** How full a part is, of a hundred. */
function shareOf(units: number, size: number, at: number): number {
  return (100 * Math.min(size, Math.max(0, units - at * size))) / size;
}
