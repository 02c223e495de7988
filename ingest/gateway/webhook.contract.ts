import { z } from 'zod';

/**
 * For documentation only; it validates nothing. Every signed body is accepted, in any version of
 * the gateway's contract.
 */
export const gatewayWebhookBody = z
  .looseObject({
    type: z.string().optional(),
    event_time: z.string().optional(),
    data: z.looseObject({}).optional(),
  })
  .meta({
    description: 'An event from the payment gateway.',
    example: {
      data: {
        order: { order_id: 'order_OFR_2', order_amount: 2.0, order_currency: 'INR' },
        payment: { cf_payment_id: '1453002796', payment_status: 'SUCCESS', payment_amount: 1.0 },
      },
      event_time: '2025-01-15T11:16:10+05:30',
      type: 'PAYMENT_SUCCESS_WEBHOOK',
    },
  });
