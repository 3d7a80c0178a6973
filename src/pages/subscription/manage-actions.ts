import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { paySubscription } from '../../domain/billing/collection/pay-subscription.ts';
import { isCancelConfirmation } from '../../domain/billing/subscription/cancel-confirmation.ts';
import { cancelSubscription } from '../../domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionMethod } from '../../domain/billing/subscription/change-subscription-method.ts';
import type { SubscriptionPage } from '../../domain/billing/subscription/get-pages.ts';
import { requestCancellation } from '../../domain/billing/subscription/request-cancellation.ts';
import { PartiallyPaidError } from '../../domain/billing/subscription/request-payment.ts';
import { setLanguage, setReminders } from '../../domain/billing/subscription/set-preferences.ts';
import { isOngoing } from '../../domain/billing/subscription/subscription-state.ts';
import { DomainError, type ErrorCode } from '../../kit/errors.ts';
import { toLanguage } from '../../language/languages.ts';
import { pageNow } from '../page-now.ts';
import { toMethodFormState } from '../parts/offer.ts';
import { readMethod, toRejectedFormState } from '../parts/read-choice.ts';
import { readForm } from '../posted-form.ts';
import { getI18n } from '../send-page.ts';
import type { TokenRequest } from '../token-request.ts';
import type { ManagePageOptions } from './manage-page.ts';
import { redirectToCharge } from './redirect-to-charge.ts';

/** The result of a POST to the subscription page: a response, or feedback to show on the page. */
type ActionResult = { response?: FastifyReply; feedback: Pick<ManagePageOptions, 'message' | 'formState'> };

/**
 * Errors that mean that the subscription or its charge has changed since the page was loaded. The customer then
 * sees the current page instead of an error.
 */
const staleStateErrors = new Set<ErrorCode>([
  'subscription_ended',
  'subscription_paused',
  'charge_not_pending',
]);

export async function handleAction(
  context: Context,
  request: TokenRequest,
  reply: FastifyReply,
  pageData: SubscriptionPage,
): Promise<ActionResult> {
  const form = readForm(request.body);
  try {
    return await performAction(context, request, reply, { pageData, form });
  } catch (error) {
    if (error instanceof PartiallyPaidError)
      return { response: redirectToCharge(context, request, reply, error.charge), feedback: {} };
    if (error instanceof DomainError && staleStateErrors.has(error.code)) return { feedback: {} };
    const formState = toRejectedFormState(getI18n(request), toMethodFormState(form.method ?? ''), error);
    if (!formState) throw error;
    return { feedback: { formState } };
  }
}

async function performAction(
  context: Context,
  request: TokenRequest,
  reply: FastifyReply,
  { pageData, form }: { pageData: SubscriptionPage; form: Record<string, string> },
): Promise<ActionResult> {
  const { service, clock } = context;
  const { subscription, merchant } = pageData;
  const { id, merchantId, mode } = subscription;
  const now = pageNow(context, { merchant, mode });
  const change = { id, merchantId, mode, actor: 'customer', now };
  const { confirmation: text = '' } = form;
  const i18n = getI18n(request);
  await setLanguage(service, { id, language: toLanguage(i18n.code), now });
  switch (form.do) {
    case 'pay':
    case 'method': {
      const result = readMethod(i18n, form);
      if ('rejected' in result) return { feedback: { formState: result.rejected } };
      const { method } = result;
      const visitor = { ipAddress: request.ip };
      if (form.do === 'method') {
        await changeSubscriptionMethod(service, { ...change, method, visitor });
        return { feedback: { message: 'methodChanged' } };
      }
      const charge = await paySubscription(service, { ...change, method, visitor });
      return { response: redirectToCharge(context, request, reply, charge), feedback: {} };
    }
    case 'reminders-on':
    case 'reminders-off':
      await setReminders(service, { id, areDisabled: form.do === 'reminders-off', now });
      return { feedback: { message: 'remindersChanged' } };
    case 'cancel': {
      const systemNow = clock.now();
      const channel = await requestCancellation(service, { ...change, merchant, systemNow });
      if (channel === 'email') return { feedback: { message: 'cancelLinkEmailed' } };
      return { feedback: channel === 'sms' ? { message: 'cancelLinkTexted' } : {} };
    }
    case 'confirm':
      if (!isCancelConfirmation(service.secrets, subscription, { text, now: clock.now() }))
        return { feedback: isOngoing(subscription) ? { message: 'cancelLinkExpired' } : {} };
      await cancelSubscription(service, change);
      return { feedback: {} };
    default:
      return { feedback: {} };
  }
}
