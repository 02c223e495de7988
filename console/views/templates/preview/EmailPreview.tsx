import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Preview } from '../version/version-query.ts';
import classes from './preview.module.css';
import { safePage } from './safe-page.ts';

type Shape = 'wide' | 'phone' | 'plain';

const SHAPES: { value: Shape; label: string }[] = [
  { value: 'wide', label: 'Computer' },
  { value: 'phone', label: 'Phone' },
  { value: 'plain', label: 'Plain text' },
];

/** Shows the HTML in a frame without scripts, network requests or navigation. */
export function EmailPreview({ preview }: { readonly preview: Preview }) {
  const [shape, setShape] = useState<Shape>('wide');
  const { page, picturesLeftOut } = useMemo(() => safePage(preview.body), [preview.body]);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          aria-label="Shown as on"
          size="xs"
          data={SHAPES}
          value={shape}
          onChange={value => setShape(value as Shape)}
        />
        {picturesLeftOut > 0 && (
          <Text size="xs" c="dimmed">
            Pictures of other hosts are not loaded here.
          </Text>
        )}
      </Group>
      <figure className={classes.mail} data-shape={shape} aria-label="As a mail program shows it">
        <div className={classes.head}>
          <div className={classes.subject}>{preview.header?.text ?? 'No subject'}</div>
          {preview.preheader && <div className={classes.preheader}>{preview.preheader}</div>}
        </div>
        {shape === 'plain' ? (
          <div className={classes.plain}>
            {preview.plainText ?? 'There is no plain text: mail programs make one of the HTML.'}
          </div>
        ) : (
          <iframe className={classes.page} title="The email" sandbox="" srcDoc={page} />
        )}
      </figure>
    </Stack>
  );
}
