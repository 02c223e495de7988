import { z } from 'zod';
import { optionalText } from '../../schema/values/text.ts';
import { WIDGET_ACTIONS } from './ack-widget.ts';

/** Spec, Widget acknowledgement body: POST /v1/in-app/widgets/{step_execution_id}/ack. */
export const widgetAckBody = z
  .looseObject({
    action: z.enum(WIDGET_ACTIONS).meta({
      description:
        'The state that the widget reached. Each state implies the earlier ones. Only the first of `clicked` and `dismissed` counts.',
    }),
    step_id: optionalText().meta({
      description: 'The step at which the action happened, for multi-step renderers.',
      example: 'step-2',
    }),
    variant_id: optionalText().meta({
      description: 'The variant that was shown, for A/B attribution.',
    }),
  })
  .meta({
    description:
      'An acknowledgement of a widget queued by a journey. Idempotent; acknowledgements may arrive in any order. The first `clicked` or `dismissed` resumes the journey, unless the widget has expired.',
    example: { action: 'clicked', step_id: 'step-2' },
  });

export type WidgetAckBody = z.output<typeof widgetAckBody>;
