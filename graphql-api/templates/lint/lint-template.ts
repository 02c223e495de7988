// The rules that an editor displays and that a submission must pass. A finding blocks if the
// channel cannot accept the content; if the approver or recipients may object, it only warns,
// because the approver decides.

import type { TemplateChannel, TemplateContent } from '../content.ts';
import { tokensOf } from '../placeholders.ts';
import { type TemplateVariable, textsOf } from '../variables.ts';
import { lintEmail } from './email.ts';
import { block, type Finding } from './finding.ts';
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

/** Returns the blocking findings first. */
export function lintTemplate(version: Linted): Finding[] {
  const findings = [
    ...bodyRequired(version),
    ...brokenPlaceholders(version),
    ...RULES[version.channel](version),
  ];
  return findings.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ severity }: Finding): number {
  return severity === 'block' ? 0 : 1;
}

function bodyRequired({ body }: Linted): Finding[] {
  return body.trim() === '' ? [block('BODY_REQUIRED', 'body', 'The body is required.')] : [];
}

function brokenPlaceholders(version: Linted): Finding[] {
  const paths = [
    'body',
    'header',
    'footer',
    ...version.buttons.map((_button, index) => `buttons.${index}.url`),
    'preheader',
    'plainText',
  ];
  return textsOf(version).flatMap((text, index) => {
    const broken = tokensOf(text, version.channel).find(({ kind }) => kind === 'broken');
    if (broken === undefined) return [];
    const message = `${broken.text} is not a valid placeholder. Use {{name}}${version.channel === 'sms' ? ' or {#var#}' : ''}.`;
    return [block('PLACEHOLDER_BROKEN', paths[index]!, message)];
  });
}
