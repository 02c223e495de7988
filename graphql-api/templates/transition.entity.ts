import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';
import type { TemplateState } from './transitions.ts';

export const TemplateTransitionSchema = defineEntity({
  name: 'TemplateTransition',
  tableName: 'template_transitions',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    versionId: p.uuid(),
    fromState: p.text().$type<TemplateState>().nullable(),
    toState: p.text().$type<TemplateState>(),
    cause: p.text(),
    actorId: p.text(),
    submissionId: p.uuid().nullable(),
    createdAt: instant(),
  },
});

/** A state change of a version. Append-only. */
export class TemplateTransition extends TemplateTransitionSchema.class {}
TemplateTransitionSchema.setClass(TemplateTransition);
