import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Preview } from '../version-query.ts';
import classes from './preview.module.css';
import { safePage } from './safe-page.ts';

type Shape = 'wide' | 'phone' | 'plain';

const SHAPES: { value: Shape; label: string }[] = [
  { value: 'wide', label: 'Desktop' },
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
          aria-label="Preview size"
          size="xs"
          data={SHAPES}
          value={shape}
          onChange={value => setShape(value as Shape)}
        />
        {picturesLeftOut > 0 && (
          <Text size="xs" c="dimmed">
            Images from other hosts are not loaded in the preview.
          </Text>
        )}
      </Group>
      <figure className={classes.mail} data-shape={shape} aria-label="Email preview">
        <div className={classes.head}>
          <div className={classes.subject}>{preview.header?.text ?? 'No subject'}</div>
          {preview.preheader && <div className={classes.preheader}>{preview.preheader}</div>}
        </div>
        {shape === 'plain' ? (
          <div className={classes.plain}>
            {preview.plainText ?? 'No plain text. Mail programs create it from the HTML.'}
          </div>
        ) : (
          <iframe className={classes.page} title="Email content" sandbox="" srcDoc={page} />
        )}
      </figure>
    </Stack>
  );
}
