import { z } from 'zod';
import { optionalText } from '../../schema/values/text.ts';
import { WIDGET_ACTIONS } from './ack-widget.ts';

/** Spec, Widget acknowledgement body: POST /v1/in-app/widgets/{step_execution_id}/ack. */
export const widgetAckBody = z
  .looseObject({
    action: z.enum(WIDGET_ACTIONS).meta({
      description:
        'How far the widget came. Each one implies those before it; of `clicked` and `dismissed` the first one counts.',
    }),
    step_id: optionalText().meta({
      description: 'For multi-step renderers: the step at which it happened.',
      example: 'step-2',
    }),
    variant_id: optionalText().meta({ description: 'The variant shown, for A/B attribution.' }),
  })
  .meta({
    description:
      'What a person did with a widget that a journey queued. Repeats are harmless, in any order. The first `clicked` or `dismissed` lets the journey go on, unless the widget has expired.',
    example: { action: 'clicked', step_id: 'step-2' },
  });

export type WidgetAckBody = z.output<typeof widgetAckBody>;
