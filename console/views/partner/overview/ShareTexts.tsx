import { Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { IconCheck, IconCopy, IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useCopy } from '../../../pieces/use-copy.ts';
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
        <CopyText key={channel} text={text} />
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

function CopyText({ text }: { readonly text: string }) {
  const { isCopied, copy } = useCopy();
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={isCopied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      onClick={() => copy(text)}
    >
      <span aria-live="polite">{isCopied ? 'Text copied' : 'Copy text'}</span>
    </Button>
  );
}
