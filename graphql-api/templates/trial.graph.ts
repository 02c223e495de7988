// The effect of an edit on a version without saving it, for the live preview of an editor.

import { contractRejections } from '../platform/contract-rejections.ts';
import { builder } from '../platform/graph/builder.ts';
import { embeddedLists } from '../platform/graph/embedded-list.ts';
import { memberObject } from '../platform/graph/fields.ts';
import { Rejected } from '../platform/rejected.ts';
import { TemplatePreviewRef, TemplateVariableRef, versionContentInput } from './content.graph.ts';
import type { TemplateChannel } from './content.ts';
import { SmsSizeRef, TemplateFindingRef } from './finding.graph.ts';
import { lintTemplate } from './lint/lint-template.ts';
import { worstCaseSize } from './lint/sms.ts';
import { renderTemplate } from './render.ts';
import { templateTrialContract } from './template.contract.ts';
import { samplesOf } from './variables.ts';
import { TemplateVersionRef } from './version.graph.ts';
import { contentOf, type DraftContent, draftContent } from './version-content.ts';

type Trial = DraftContent & { readonly channel: TemplateChannel };

const TrialRef = memberObject<Trial>('TemplateTrial', {
  description: 'The content that a version would have after an edit. Nothing is saved.',
  fields: t => ({
    ...embeddedLists(t, TemplateVariableRef, {
      variables: 'The variables that the placeholders refer to.',
    }),
    findings: t.field({
      type: [TemplateFindingRef],
      nullable: false,
      description: 'Problems that would prevent submission, and warnings.',
      resolve: trial => lintTemplate(trial),
    }),
    smsSize: t.field({
      type: SmsSizeRef,
      description: 'The size of the SMS; null for other channels.',
      resolve: trial => (trial.channel === 'sms' ? worstCaseSize(trial) : null),
    }),
    preview: t.field({
      type: TemplatePreviewRef,
      nullable: false,
      description: 'The message rendered with sample values.',
      resolve: trial => renderTemplate(trial, trial.channel, samplesOf(trial.variables)),
    }),
  }),
});

const TrialInput = builder.inputType('TemplateTrialInput', {
  description: 'The edit to try out.',
  fields: versionContentInput,
});

builder.objectField(TemplateVersionRef, 'trial', t =>
  t.field({
    type: TrialRef,
    nullable: false,
    description:
      'The content that this version would have after an edit. Nothing is saved. Omitted fields keep their current values.',
    args: {
      input: t.arg({ type: TrialInput, required: true, description: 'The edit to try out.' }),
    },
    resolve: (version, { input }) => {
      const parsed = templateTrialContract.safeParse(input);
      if (!parsed.success) throw new Rejected(contractRejections(parsed.error));
      const { channel } = version;
      return { ...draftContent(channel, parsed.data, contentOf(version)), channel };
    },
  }),
);
