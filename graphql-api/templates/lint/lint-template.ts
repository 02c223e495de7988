// The rules that an editor displays and that a submission must pass. A finding blocks if the
// channel cannot accept the content; if the approver or recipients may object, it only warns,
// because the approver decides.

import type { TemplateChannel, TemplateContent } from '../content.ts';
import { tokensOf } from '../placeholders.ts';
import { type TemplateVariable, textsOf } from '../variables.ts';
import { lintEmail } from './email.ts';
import { type Finding, findingsOf } from './finding.ts';
import { lintMessagingApp } from './messaging-app.ts';
import { lintSms } from './sms.ts';

export type Linted = TemplateContent & {
  readonly channel: TemplateChannel;
  readonly variables: readonly TemplateVariable[];
};

const RULES: Readonly<Record<TemplateChannel, (version: Linted) => Finding[]>> = {
  messaging_app: lintMessagingApp,
  sms: lintSms,
  email: lintEmail,
};

const found = findingsOf({ block: { BODY_REQUIRED: 'The body is required.' }, warn: {} });

/** Returns the blocking findings first. */
export function lintTemplate(version: Linted): Finding[] {
  const findings = [
    ...found(version.body.trim() === '', 'BODY_REQUIRED', 'body'),
    ...brokenPlaceholders(version),
    ...RULES[version.channel](version),
  ];
  return findings.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ severity }: Finding): number {
  return severity === 'block' ? 0 : 1;
}

function brokenPlaceholders(version: Linted): Finding[] {
  const syntax = version.channel === 'sms' ? '{{name}} or {#var#}' : '{{name}}';
  return textsOf(version).flatMap(({ path, text }) => {
    const broken = tokensOf(text, version.channel).find(({ kind }) => kind === 'broken');
    if (broken === undefined) return [];
    const message = `${broken.text} is not a valid placeholder. Use ${syntax}.`;
    const severity = 'block' as const;
    return [{ code: 'PLACEHOLDER_BROKEN', path, limit: null, actual: null, severity, message }];
  });
}
