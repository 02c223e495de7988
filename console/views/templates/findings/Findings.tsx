import { Group, Text } from '@mantine/core';
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { inCount } from '../../../pieces/in-words.ts';
import type { Finding } from '../version-query.ts';
import classes from './findings.module.css';

/** The number of findings by severity; each finding is shown at its field. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const blocking = findings.filter(({ severity }) => severity === 'BLOCK').length;
  const minded = findings.length - blocking;
  if (findings.length === 0)
    return (
      <Group gap={6} role="status">
        <IconCircleCheck size={18} className={classes.good} aria-hidden />
        <Text size="sm">No issues found.</Text>
      </Group>
    );
  return (
    <Group gap="md" role="status">
      {blocking > 0 && (
        <Group gap={6}>
          <IconAlertOctagon size={18} className={classes.block} aria-hidden />
          <Text size="sm" fw={600}>
            {inCount(blocking)} blocking {blocking === 1 ? 'issue' : 'issues'}
          </Text>
        </Group>
      )}
      {minded > 0 && (
        <Group gap={6}>
          <IconAlertTriangle size={18} className={classes.warn} aria-hidden />
          <Text size="sm">
            {inCount(minded)} {minded === 1 ? 'warning' : 'warnings'}
          </Text>
        </Group>
      )}
    </Group>
  );
}

/** Below the field that they belong to. */
export function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={classes.list}>
      {findings.map(({ code, path, severity, message, limit, actual }) => (
        <li key={`${code} ${path}`} className={classes.item} data-severity={severity}>
          {severity === 'BLOCK' ? (
            <IconAlertOctagon size={16} role="img" aria-label="Blocks submission" />
          ) : (
            <IconAlertTriangle size={16} role="img" aria-label="Warning" />
          )}
          <Text size="sm" span>
            {message}
            {limit !== null && actual !== null && !message.includes(String(actual)) && (
              <Text span inherit c="dimmed">
                {' '}
                {inCount(actual)} of {inCount(limit)}.
              </Text>
            )}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** The findings of a field and its nested fields: `buttons` includes `buttons.1.url`. */
export function findingsAt(findings: readonly Finding[], field: string): readonly Finding[] {
  return findings.filter(({ path }) => path === field || path.startsWith(`${field}.`));
}
