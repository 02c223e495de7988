// One set of rules for what an editor shows and what a submission is refused for. What a channel can't
// take blocks; what reviewers or readers may mind warns, since the verdict is the approver's.

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

/** What blocks comes first. */
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
  return body.trim() === '' ? [block('BODY_REQUIRED', 'body', 'There is no text.')] : [];
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
    const message = `${broken.text} is no placeholder: write {{name}}${version.channel === 'sms' ? ' or {#var#}' : ''}.`;
    return [block('PLACEHOLDER_BROKEN', paths[index]!, message)];
  });
}
