import { Box, Button, Grid, Group, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Card } from '../../../pieces/Card.tsx';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { SaveBar } from '../../../pieces/SaveBar.tsx';
import { useUnsaved } from '../../../pieces/unsaved.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { MessagePreview } from '../preview/MessagePreview.tsx';
import { Findings } from '../version/Findings.tsx';
import type { Version } from '../version/version-query.ts';
import { DraftFields } from './DraftFields.tsx';
import { contentOf, type DraftForm, formOf } from './draft-form.ts';
import { SAVE, TRIAL, type Trial } from './edit-query.ts';
import { Samples } from './Samples.tsx';

/** After the last key: the preview follows without asking at each. */
const TYPING_MS = 350;

type DraftEditorProps = { readonly version: Version; readonly onReload: () => void };

export function DraftEditor({ version, onReload }: DraftEditorProps) {
  const { id, channel } = version;
  const [form, setForm] = useState(() => formOf(version));
  /** The last saved content, to detect unsaved changes. */
  const [saved, setSaved] = useState(() => ({ form: formOf(version), revision: version.revision }));
  const { run, isRunning, refusals } = useAction(SAVE, { done: 'Saved.', isFormShowing: true });
  const trial = useTrial(version, form);
  const isDirty = JSON.stringify(form) !== JSON.stringify(saved.form);
  useUnsaved(isDirty);
  const isOvertaken = version.revision > saved.revision;
  const save = async () => {
    const input = { ...contentOf(form, channel), expectedRevision: saved.revision };
    const made = (await run({ id, input }))?.templateVersionEdit?.templateVersion;
    if (made) setSaved({ form, revision: made.revision });
    else onReload();
  };
  const takeTheirs = () => {
    setForm(formOf(version));
    setSaved({ form: formOf(version), revision: version.revision });
  };
  return (
    <Stack gap="md">
      <Refusals refusals={refusals} />
      {isOvertaken && refusals.length > 0 && (
        <Group>
          <Button variant="default" onClick={takeTheirs}>
            Discard my changes and load the latest version
          </Button>
        </Group>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Card>
            <DraftFields
              channel={channel}
              form={form}
              onChange={part => setForm({ ...form, ...part })}
              findings={trial.findings}
            />
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Box pos={{ md: 'sticky' }} top={76}>
            <Card title="Preview">
              <Stack gap="md">
                <MessagePreview
                  channel={channel}
                  preview={trial.preview}
                  smsSize={trial.smsSize}
                  isFolding={form.category === 'MARKETING'}
                />
                <Findings findings={trial.findings} />
                <Samples
                  variables={trial.variables}
                  samples={form.samples}
                  onChange={samples => setForm({ ...form, samples })}
                />
              </Stack>
            </Card>
          </Box>
        </Grid.Col>
      </Grid>
      <SaveBar isChanged={isDirty} saved="All changes saved">
        <Button
          leftSection={<IconDeviceFloppy size={17} />}
          onClick={() => void save()}
          loading={isRunning}
          disabled={!isDirty}
        >
          Save
        </Button>
      </SaveBar>
    </Stack>
  );
}

/**
 * The API's findings and preview for the current input; until they arrive, those of the saved
 * draft.
 */
function useTrial(version: Version, form: DraftForm): Trial {
  const [settled] = useDebouncedValue(form, TYPING_MS);
  const [{ data }] = useQuery({
    query: TRIAL,
    variables: { id: version.id, input: contentOf(settled, version.channel) },
  });
  return data?.templateVersion?.trial ?? version;
}
