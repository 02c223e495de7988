import { Box, Button, Grid, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Card } from '../../../pieces/Card.tsx';
import { Conflict } from '../../../pieces/Conflict.tsx';
import { SaveBar } from '../../../pieces/SaveBar.tsx';
import { Findings } from '../findings/Findings.tsx';
import { MessagePreview } from '../preview/MessagePreview.tsx';
import type { Version } from '../version-query.ts';
import { DraftFields } from './DraftFields.tsx';
import { contentOf, type DraftForm } from './draft-form.ts';
import { TRIAL, type Trial } from './edit-query.ts';
import { reasonOf, refusalOf } from './refused-fields.ts';
import { Samples } from './Samples.tsx';
import { type Draft, useDraft } from './use-draft.ts';

/** After the last key: the preview follows without asking at each. */
const TYPING_MS = 350;

export function DraftEditor({ version }: { readonly version: Version }) {
  const { channel } = version;
  const draft = useDraft(version);
  const { form, change, refusals, hasConflict, takeTheirs, keepMine } = draft;
  const trial = useTrial(version, form);
  return (
    <Stack gap="md">
      {hasConflict && <Conflict noun="draft" onDiscard={takeTheirs} onKeep={keepMine} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Card>
            <DraftFields
              channel={channel}
              form={form}
              onChange={change}
              findings={trial.findings}
              refusals={refusals}
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
                  onChange={samples => change({ samples })}
                  error={refusalOf(refusals, 'samples')}
                />
              </Stack>
            </Card>
          </Box>
        </Grid.Col>
      </Grid>
      <DraftBar draft={draft} />
    </Stack>
  );
}

function DraftBar({ draft }: { readonly draft: Draft }) {
  const { isChanged, isSaving, refusals, hasConflict, save } = draft;
  const isRefused = refusals.length > 0;
  const isSaveable = isChanged && !isSaving && !hasConflict;
  return (
    <SaveBar isChanged={isChanged} state={stateOf(draft)}>
      <Button
        leftSection={<IconDeviceFloppy size={17} />}
        onClick={save}
        loading={isSaving}
        disabled={!isSaveable}
      >
        {isRefused && !hasConflict ? 'Try again' : 'Save'}
      </Button>
    </SaveBar>
  );
}

function stateOf({ isChanged, isSaving, refusals }: Draft): string | undefined {
  if (isSaving) return 'Saving…';
  if (refusals.length > 0) return `Not saved: ${reasonOf(refusals)}`;
  return isChanged ? undefined : 'Saved';
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
