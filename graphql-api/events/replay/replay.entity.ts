import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../../platform/database/columns.ts';

export const RejectedEventsReplaySchema = defineEntity({
  name: 'RejectedEventsReplay',
  tableName: 'rejected_events_replays',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    actorId: p.text(),
    request: p.json<Readonly<Record<string, unknown>>>(),
    found: p.integer().default(0),
    accepted: p.integer().default(0),
    uncorrectable: p.integer().default(0),
    refused: p.json<Readonly<Record<string, number>>>().default('{}'),
    createdAt: createdAt(),
    startedAt: instant().nullable(),
    finishedAt: instant().nullable(),
  },
});

/** A viewer's request to replay rejected events, and its progress. */
export class RejectedEventsReplay extends RejectedEventsReplaySchema.class {}
RejectedEventsReplaySchema.setClass(RejectedEventsReplay);
