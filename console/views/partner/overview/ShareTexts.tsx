import { Button, CopyButton, Group, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { IconCheck, IconCopy, IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { shareTexts } from './share-texts.ts';

/** A message with the referral link for each channel, to copy or to open there. */
export function ShareTexts({ link }: { readonly link: string }) {
  const texts = shareTexts(link);
  const [chosen, setChosen] = useState(texts[0]!.channel);
  const { channel, text, href } = texts.find(each => each.channel === chosen)!;
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Channel to share on"
        size="xs"
        data={texts.map(each => each.channel)}
        value={chosen}
        onChange={setChosen}
      />
      <Textarea
        label={`Text for ${channel}`}
        value={text}
        readOnly
        autosize
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group gap="xs">
        <CopyButton key={channel} value={text}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
              onClick={copy}
            >
              <span aria-live="polite">{copied ? 'Text copied' : 'Copy text'}</span>
            </Button>
          )}
        </CopyButton>
        {href !== undefined && (
          <Button
            component="a"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            size="xs"
            variant="default"
            leftSection={<IconExternalLink size={15} />}
          >
            Open {channel}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
