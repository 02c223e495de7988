import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const JourneyDefinitionSchema = defineEntity({
  name: 'JourneyDefinition',
  tableName: 'journey_definitions',
  properties: {
    id: p.uuid().primary(),
    journeyId: p.uuid(),
    workspaceId: p.uuid(),
    number: p.integer(),
    // The shape is `JourneyNode` in nodes.ts.
    nodes: p.json<unknown[]>(),
    createdBy: p.text(),
    createdAt: createdAt(),
  },
});

/** The nodes of a journey between two changes. Immutable. */
export class JourneyDefinition extends JourneyDefinitionSchema.class {}
JourneyDefinitionSchema.setClass(JourneyDefinition);
