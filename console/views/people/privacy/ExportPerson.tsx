import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { graphql } from '../../../graph/graphql.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useDownload } from '../../../pieces/use-download.ts';
import { FootprintOf } from './FootprintOf.tsx';
import { confirmedInput, type Footprint } from './footprint-query.ts';

const EXPORT = graphql(`
  mutation PersonExport($input: PersonExportInput!) {
    personExport(input: $input) { export { downloadPath } userErrors { message field } }
  }
`);

type ExportPersonProps = { readonly userId: string; readonly onDone: () => void };

/** Downloads everything that is stored about a person. */
export function ExportPerson({ userId, onDone }: ExportPersonProps) {
  return (
    <FootprintOf userId={userId}>
      {footprint => <DownloadButton footprint={footprint} onDone={onDone} />}
    </FootprintOf>
  );
}

type DownloadButtonProps = {
  /** Undefined until the IDs are found. */
  readonly footprint: Footprint | undefined;
  readonly onDone: () => void;
};

function DownloadButton({ footprint, onDone }: DownloadButtonProps) {
  const { run, isRunning, refusals } = useAction(EXPORT, { isFormShowing: true });
  const { save, saving } = useDownload();
  const download = async () => {
    if (footprint === undefined) return;
    const created = await run({ input: confirmedInput(footprint) });
    const path = created?.personExport?.export?.downloadPath;
    if (path === undefined) return;
    await save(path, 'person.jsonl');
    onDone();
  };
  return (
    <>
      <Refusals refusals={refusals} />
      <Text size="sm" c="dimmed">
        The file has one JSON object per stored row. A row that is stored several times counts once
        above. The download is recorded in the audit log.
      </Text>
      <Button
        leftSection={<IconDownload size={17} />}
        loading={isRunning || saving !== undefined}
        disabled={footprint === undefined}
        onClick={() => void download()}
      >
        Download
      </Button>
    </>
  );
}
