// What an edit would make of a version, without keeping it: what an editor shows while somebody types.

import { contractRejections } from '../platform/contract-rejections.ts';
import { builder } from '../platform/graph/builder.ts';
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

const TrialRef = builder.objectRef<Trial>('TemplateTrial').implement({
  description: 'What a version would be after an edit that was not made.',
  authScopes: { member: true },
  fields: t => ({
    variables: t.field({
      type: [TemplateVariableRef],
      nullable: false,
      description: 'What its placeholders would ask for.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ variables }) => [...variables],
    }),
    findings: t.field({
      type: [TemplateFindingRef],
      nullable: false,
      description: 'What a submission would be refused for, and what reviewers may mind.',
      resolve: trial => lintTemplate(trial),
    }),
    smsSize: t.field({
      type: SmsSizeRef,
      description: 'Of an SMS: how many messages it would be; null in other channels.',
      resolve: trial => (trial.channel === 'sms' ? worstCaseSize(trial) : null),
    }),
    preview: t.field({
      type: TemplatePreviewRef,
      nullable: false,
      description: 'The message with its samples.',
      resolve: trial => renderTemplate(trial, trial.channel, samplesOf(trial.variables)),
    }),
  }),
});

const TrialInput = builder.inputType('TemplateTrialInput', {
  description: 'An edit to look at.',
  fields: versionContentInput,
});

builder.objectField(TemplateVersionRef, 'trial', t =>
  t.field({
    type: TrialRef,
    nullable: false,
    description: 'What an edit would make of it, without keeping it; what is left out stays.',
    args: { input: t.arg({ type: TrialInput, required: true, description: 'The edit.' }) },
    resolve: (version, { input }) => {
      const parsed = templateTrialContract.safeParse(input);
      if (!parsed.success) throw new Rejected(contractRejections(parsed.error));
      const { channel } = version;
      return { ...draftContent(channel, parsed.data, contentOf(version)), channel };
    },
  }),
);
