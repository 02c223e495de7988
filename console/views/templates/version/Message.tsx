import { Grid, Stack } from '@mantine/core';
import { Findings } from '../findings/Findings.tsx';
import { MessagePreview } from '../preview/MessagePreview.tsx';
import { Source } from './Source.tsx';
import { TryValues } from './TryValues.tsx';
import type { ShownProps } from './VersionCard.tsx';

/** The message as a recipient sees it, next to its source and findings. */
export function Message({ version, values, onValues }: ShownProps) {
  const { channel, preview, smsSize, category } = version;
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, lg: channel === 'EMAIL' ? 12 : 6 }}>
        <Stack gap="md">
          <MessagePreview
            channel={channel}
            preview={preview}
            smsSize={smsSize}
            isFolding={category === 'MARKETING'}
          />
          <TryValues variables={version.variables} values={values} onValues={onValues} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: channel === 'EMAIL' ? 12 : 6 }}>
        <Stack gap="lg">
          <Findings findings={version.findings} />
          <Source version={version} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
