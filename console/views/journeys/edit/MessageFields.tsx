import { Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import type { MessageStep } from './journey-draft.ts';
import { TEMPLATE_VERSIONS } from './template-versions.ts';
import type { JourneyForm } from './use-journey-form.ts';
import { VersionFields } from './VersionFields.tsx';

const TEMPLATES = graphql(`
  query JourneyTemplates($search: String) {
    templates(first: 100, search: $search) { nodes { id name } pageInfo { hasNextPage } }
  }
`);

/** Whether the input has paused. */
const TYPING_MS = 300;

export type MessageFieldsProps = { readonly form: JourneyForm; readonly step: MessageStep };

export function MessageFields({ form, step }: MessageFieldsProps) {
  const { changeStep, faultAt } = form;
  const { id, templateId } = step;
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed.trim(), TYPING_MS);
  // Until something else is typed, the field has the name of the chosen template.
  const search = settled === step.templateName ? '' : settled;
  const variables = search === '' ? {} : { search };
  const [{ data, error, fetching }, ask] = useQuery({ query: TEMPLATES, variables });
  const listed = data?.templates.nodes ?? [];
  const isListed = templateId === '' || listed.some(one => one.id === templateId);
  const templates = isListed ? listed : [...listed, { id: templateId, name: step.templateName }];
  const choose = (chosen: string | null) =>
    changeStep(id, {
      templateId: chosen ?? '',
      templateName: templates.find(one => one.id === chosen)?.name ?? '',
      channel: null,
      language: '',
      versionId: '',
      variables: {},
    });
  return (
    <Stack gap="sm">
      {error && <Problem error={error} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      <Select
        label="Template"
        required
        searchable
        placeholder={fetching && data === undefined ? 'Loading…' : 'Choose a template'}
        nothingFoundMessage={fetching ? 'Searching…' : 'No matching templates'}
        onSearchChange={setTyped}
        {...(data?.templates.pageInfo.hasNextPage && {
          description: 'The 100 newest templates. Type a part of the name to find others.',
        })}
        data={templates.map(one => ({ value: one.id, label: one.name }))}
        value={templateId === '' ? null : templateId}
        onChange={choose}
        allowDeselect={false}
        error={faultAt(id, 'templateId')}
      />
      {search === '' && !fetching && listed.length === 0 && (
        <Text size="sm" c="dimmed">
          The workspace has no templates yet. Create one in Templates first.
        </Text>
      )}
      {templateId !== '' && <OfTemplate form={form} step={step} />}
    </Stack>
  );
}

function OfTemplate({ form, step }: MessageFieldsProps) {
  const { templateId } = step;
  const asked = useQuery({ query: TEMPLATE_VERSIONS, variables: { templateId } });
  return (
    <Asked asked={asked} label="Loading the versions of the template">
      {({ templateVersions }) => (
        <VersionFields form={form} step={step} versions={templateVersions.nodes} />
      )}
    </Asked>
  );
}
