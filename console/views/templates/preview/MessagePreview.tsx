import { Alert } from '@mantine/core';
import type { Channel } from '../../../pieces/channels.tsx';
import type { Preview, Version } from '../version-query.ts';
import { AppPreview } from './AppPreview.tsx';
import { EmailPreview } from './EmailPreview.tsx';
import { SmsPreview } from './SmsPreview.tsx';

type MessagePreviewProps = {
  readonly channel: Channel;
  readonly preview: Preview;
  readonly smsSize: Version['smsSize'];
  /** Whether the app hides what comes after the first lines. */
  readonly isFolding: boolean;
};

/** The message as its reader sees it. */
export function MessagePreview({ channel, preview, smsSize, isFolding }: MessagePreviewProps) {
  return (
    <>
      {preview.missing.length > 0 && (
        <Alert
          color="red"
          variant="outline"
          p="sm"
          title="This message won’t be sent"
          role="status"
        >
          Missing values: {preview.missing.join(', ')}.
        </Alert>
      )}
      {channel === 'EMAIL' && <EmailPreview preview={preview} />}
      {channel === 'SMS' && <SmsPreview preview={preview} size={smsSize} />}
      {channel === 'MESSAGING_APP' && <AppPreview preview={preview} isFolding={isFolding} />}
    </>
  );
}
