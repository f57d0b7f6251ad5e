import { API_BASE } from '@framelift/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { createPayment } from '../domain/payment/create.ts';
import {
  cancelPayment,
  checkoutOrder,
  getPayment,
  listPaymentMethods,
  listPayments,
  sendSunPayToken,
  setSubscriptionAvailability,
} from '../domain/payment/payments.ts';
import {
  cancelPlan,
  listSubscriptions,
  payNow,
  resumePlan,
  subscribeToPlan,
  subscribeToProduct,
} from '../domain/payment/subscribe.ts';
import { receivePayPalWebhook, receiveSunPayMessage } from '../domain/payment/webhook.ts';
import { CALLBACK_ACK, SUNPAY_CALLBACK_PATH, SUNPAY_RETURN_PATH } from '../platform/payments/sunpay/client.ts';
import type { Handlers } from './endpoint.ts';

export const paymentHandlers = {
  paymentMethods: ({ context }) => listPaymentMethods(context),
  createPayment: ({ context, actor, input }) => createPayment(context, actor, input),
  payment: ({ context, actor, params }) => getPayment(context, actor, params),
  payments: ({ context, actor, input }) => listPayments(context, actor, input),
  cancelPayment: ({ context, actor, input }) => cancelPayment(context, actor, input),
  checkout_order: ({ context, actor, input }) => checkoutOrder(context, actor, input),
  product_subscribe: ({ context, actor, input }) => subscribeToProduct(context, actor, input),
  plan_subscribe: ({ context, actor, input }) => subscribeToPlan(context, actor, input),
  setSubscriptionAvailability: ({ context, actor, input }) => setSubscriptionAvailability(context, actor, input),
  sunpayToken: ({ context, actor, input }) => sendSunPayToken(context, actor, input),
  subscriptions: ({ context, actor, input }) => listSubscriptions(context, actor, input),
  plan_unsubscribe: ({ context, actor }) => cancelPlan(context, actor),
  resumeSubscription: ({ context, actor }) => resumePlan(context, actor),
  payNow: ({ context, actor }) => payNow(context, actor),
} satisfies Partial<Handlers>;

/** Where PayPal delivers its events. */
export const PAYPAL_WEBHOOK_PATH = `${API_BASE}/paypalWebhook`;
const MESSAGE_BYTES = 64 * 1024;
const WEBHOOK_BYTES = 1024 * 1024;

/**
 * Mounts what the servers of the providers call, and what the buyer's browser brings back from one. Their messages are
 * signed, so that neither sessions nor the check of the origin apply.
 */
export function mountPaymentMessages(app: FastifyInstance, context: Context): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    // The signature is over the bytes as they came.
    scope.post(PAYPAL_WEBHOOK_PATH, { bodyLimit: WEBHOOK_BYTES }, async (request, reply) => {
      const { headers } = request;
      const status = await receivePayPalWebhook(context, { headers, body: bytesOf(request) });
      return reply.code(status).send();
    });

    scope.post(SUNPAY_CALLBACK_PATH, { bodyLimit: MESSAGE_BYTES }, async (request, reply) => {
      const { td, isUnconfirmed } = await receiveSunPayMessage(context, formOf(request));
      reply.type('text/plain');
      if (isUnconfirmed) return reply.code(503).send('not confirmed yet');
      return td === null ? reply.code(400).send('refused') : CALLBACK_ACK;
    });

    // The browser posts it from another site, without cookies: the page that it is led to has them.
    scope.post(SUNPAY_RETURN_PATH, { bodyLimit: MESSAGE_BYTES }, async (request, reply) => {
      const { td } = await receiveSunPayMessage(context, formOf(request));
      return reply.redirect(td === null ? '/tradeResult' : `/tradeResult?td=${td}`, 303);
    });
  });
}

const bytesOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Parses JSON or a form, whichever the provider sends. */
function formOf(request: FastifyRequest): unknown {
  const text = bytesOf(request).toString('utf8');
  if (!request.headers['content-type']?.startsWith('application/json')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
