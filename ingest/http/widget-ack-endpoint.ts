// POST /v1/in-app/widgets/{step_execution_id}/ack: writes the acknowledgement to Postgres, where it
// advances the journey, and then the events for analytics to the spool. A client that received no
// 200 retries; both writes are idempotent.

import { IN_APP_EVENTS_RAW } from '../../schema/rows/in-app-events-raw.ts';
import { problem } from '../../schema/values/problem.ts';
import { isUuid } from '../../schema/values/uuid.ts';
import type { AckedWidget, WidgetAck, WidgetAction } from '../accept/ack-widget.ts';
import { checkContract } from '../accept/check-contract.ts';
import type { EventLog } from '../accept/event-log.ts';
import type { ParsedObject } from '../accept/parse-object.ts';
import { type WidgetAckBody, widgetAckBody } from '../accept/widget-ack.contract.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { ThreadDatabase } from '../postgres/thread-database.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { type CellOf, cellRefusal, UNAVAILABLE, writableLog } from './cell-refusal.ts';
import { postEndpoint, type SdkEndpointDeps, SUCCESS } from './sdk-endpoint.ts';
import type { Endpoint } from './server.ts';

type WidgetAckEndpointDeps = SdkEndpointDeps & {
  readonly pipeline: CellOf;
  readonly database: Pick<ThreadDatabase, 'ask'>;
  readonly metrics: Pick<Metrics, 'eventsAccepted'>;
};

const NOT_FOUND = problem('WIDGET_NOT_FOUND');

export function widgetAckEndpoint(deps: WidgetAckEndpointDeps): Endpoint {
  return postEndpoint(deps, {
    refusal: account => cellRefusal(deps.pipeline, account),
    work: async (request, body) => {
      const checked = checkContract(widgetAckBody, body);
      if ('code' in checked) return checked;
      if (!isUuid(request.parameter)) return NOT_FOUND;
      const ack = ackOf(request, checked.value);
      const widget = await deps.database.ask('widget acks', ack);
      if (widget === undefined) return NOT_FOUND;
      const log = writableLog(deps.pipeline, request.account);
      if (log === undefined) return UNAVAILABLE;
      appendReports(log, request, ack, widget, body);
      await log.commit();
      deps.metrics.eventsAccepted.inc();
      return SUCCESS;
    },
  });
}

function ackOf({ account, parameter, receivedAtMs }: SdkRequest, body: WidgetAckBody): WidgetAck {
  return {
    workspaceId: account.workspaceId,
    stepExecutionId: parameter.toLowerCase(),
    action: body.action,
    stepId: body.step_id,
    variantId: body.variant_id,
    atMs: receivedAtMs,
  };
}

/**
 * The events for analytics. A click or dismissal implies an impression, as for caps; the table
 * stores each event once. Only the first end state is reported, as for the journey.
 */
const REPORTS: Readonly<Record<WidgetAction, readonly string[]>> = {
  served: ['served'],
  viewed: ['impression'],
  clicked: ['impression', 'clicked'],
  dismissed: ['impression', 'dismissed'],
};
const ENDS: ReadonlySet<string> = new Set(['clicked', 'dismissed']);
const KNOWN = new Set(Object.keys(widgetAckBody.shape));

function appendReports(
  log: EventLog,
  { account, propertyIdBytes }: SdkRequest,
  ack: WidgetAck,
  widget: AckedWidget,
  body: ParsedObject,
): void {
  const extra = body.extra(KNOWN);
  const reports = REPORTS[ack.action].filter(type => !ENDS.has(type) || type === widget.end);
  log.append(IN_APP_EVENTS_RAW, 0, reports, (writer, eventType) => {
    writer.uuid(account.workspaceIdBytes);
    writer.uuid(propertyIdBytes);
    writer.uuid(account.keyIdBytes);
    writer.text(widget.campaignId);
    writer.text(eventType);
    writer.text(ack.stepExecutionId);
    writer.text(widget.userId);
    writer.emptyText();
    writer.emptyText();
    writer.text(widget.variantId);
    writer.text(ack.stepExecutionId);
    writer.text(ack.stepId);
    writer.text(extra);
    writer.instantMs(ack.atMs);
  });
}
