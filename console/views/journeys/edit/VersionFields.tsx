import { Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { CHANNELS, type Channel, inLanguage } from '../../../pieces/channels.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import type { MessageFieldsProps } from './MessageFields.tsx';
import type { Version } from './template-versions.ts';

type VersionFieldsProps = MessageFieldsProps & { readonly versions: readonly Version[] };

/** What of the template is sent: a channel, a language, and the active or a fixed version. */
export function VersionFields({ form, step, versions }: VersionFieldsProps) {
  const { changeStep, faultAt } = form;
  const { id, channel, language, versionId } = step;
  const groups = Map.groupBy(
    versions.filter(({ state }) => state !== 'ARCHIVED'),
    version => `${version.channel} ${version.language}`,
  );
  const chosen = groups.get(`${channel} ${language}`) ?? [];
  const active = chosen.find(({ state }) => state === 'ACTIVE');
  const fixed = chosen.find(version => version.id === versionId);
  if (groups.size === 0)
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        This template has no versions yet. Write one in Templates first.
      </Text>
    );
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label="Channel and language"
          required
          placeholder="Choose"
          data={[...groups].map(([value, [one]]) => ({
            value,
            label: `${CHANNELS[one!.channel].label}, ${inLanguage(one!.language)}`,
          }))}
          value={channel === null ? null : `${channel} ${language}`}
          onChange={value => {
            const [one] = groups.get(value ?? '') ?? [];
            if (one !== undefined)
              changeStep(id, {
                channel: one.channel as Channel,
                language: one.language,
                versionId: '',
              });
          }}
          allowDeselect={false}
          error={faultAt(id, 'channel')}
        />
        <VersionSelect form={form} step={step} versions={chosen} />
      </SimpleGrid>
      {channel !== null && active === undefined && fixed === undefined && (
        <Text size="sm" c="dimmed">
          No version is active yet. The journey can be saved, but not started.
        </Text>
      )}
      <Variables form={form} step={step} version={fixed ?? active ?? chosen[0]} />
    </Stack>
  );
}

/** `versions` are those of the step’s channel and language. */
function VersionSelect({ form, step, versions }: VersionFieldsProps) {
  const { changeStep, faultAt } = form;
  const { id, channel, versionId } = step;
  const active = versions.find(({ state }) => state === 'ACTIVE');
  return (
    <Select
      label="Version"
      data={[
        {
          value: '',
          label: `Active when a person enters${active === undefined ? '' : ` (now v${active.number})`}`,
        },
        ...versions
          .filter(({ state, isSendable }) => isSendable || state === 'SUBMITTED')
          .map(one => ({
            value: one.id,
            label: `Always v${one.number}, ${inPlainWords(one.state).toLowerCase()}`,
          })),
      ]}
      value={versionId}
      onChange={value => changeStep(id, { versionId: value ?? '' })}
      allowDeselect={false}
      disabled={channel === null}
      error={faultAt(id, 'versionId')}
    />
  );
}

type VariablesProps = MessageFieldsProps & { readonly version: Version | undefined };

function Variables({ form, step, version }: VariablesProps) {
  if (version === undefined || version.variables.length === 0) return null;
  const { id, variables } = step;
  const { changeStep, faultAt } = form;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        Values
      </Text>
      <Text size="xs" c="dimmed">
        The contact trait for each placeholder. Leave a field empty if the trait has the same name.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {version.variables.map(({ name, isRequired, fallback }) => (
          <TextInput
            key={name}
            label={<span className="mono">{`{{${name}}}`}</span>}
            description={
              isRequired
                ? 'People without it don’t receive the message.'
                : `Otherwise “${fallback ?? ''}”.`
            }
            placeholder={name}
            value={variables[name] ?? ''}
            onChange={({ currentTarget }) =>
              changeStep(id, { variables: { ...variables, [name]: currentTarget.value } })
            }
          />
        ))}
      </SimpleGrid>
      {faultAt(id, 'variables') && (
        <Text size="xs" c="var(--mantine-color-error)">
          {faultAt(id, 'variables')}
        </Text>
      )}
    </Stack>
  );
}
