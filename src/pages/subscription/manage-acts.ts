import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { PaidInPart } from '../../domain/billing/subscription/ask-payment.ts';
import { isCancelConfirmation } from '../../domain/billing/subscription/cancel-confirmation.ts';
import { cancelSubscription } from '../../domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionMethod } from '../../domain/billing/subscription/change-subscription-method.ts';
import type { SubscriptionPage } from '../../domain/billing/subscription/open-pages.ts';
import { paySubscription } from '../../domain/billing/subscription/pay-subscription.ts';
import { requestCancellation } from '../../domain/billing/subscription/request-cancellation.ts';
import { setLanguage } from '../../domain/billing/subscription/set-language.ts';
import { setReminders } from '../../domain/billing/subscription/set-reminders.ts';
import { isOngoing } from '../../domain/billing/subscription/subscription-state.ts';
import { DomainError, type ErrorCode } from '../../kit/errors.ts';
import { languageOf } from '../../message/language.ts';
import { pageNow } from '../page-now.ts';
import { methodInput } from '../parts/offer.ts';
import { readMethod, refusedChoice } from '../parts/read-choice.ts';
import { readForm } from '../posted-form.ts';
import { readerOf } from '../send-page.ts';
import type { TokenRequest } from '../token-request.ts';
import { goToCharge } from './go-to-charge.ts';
import type { ManageShown } from './manage-page.ts';

/** What a POST of the manage page led to: an answer, or the page once more. */
type Acted = { answer?: FastifyReply; shown: Pick<ManageShown, 'said' | 'input'> };

/** Refusals that only say that the subscription or its charge has moved on: the page shows how it stands. */
const overtaken = new Set<ErrorCode>(['subscription_ended', 'charge_not_pending']);

/** Does what the customer asked for on the page. */
export async function takeAct(
  context: Context,
  request: TokenRequest,
  reply: FastifyReply,
  opened: SubscriptionPage,
): Promise<Acted> {
  const form = readForm(request.body);
  try {
    return await act(context, request, reply, { opened, form });
  } catch (error) {
    if (error instanceof PaidInPart)
      return { answer: goToCharge(context, request, reply, error.charge), shown: {} };
    if (error instanceof DomainError && overtaken.has(error.code)) return { shown: {} };
    const input = refusedChoice(readerOf(request), methodInput(form.method ?? ''), error);
    if (!input) throw error;
    return { shown: { input } };
  }
}

async function act(
  context: Context,
  request: TokenRequest,
  reply: FastifyReply,
  { opened, form }: { opened: SubscriptionPage; form: Record<string, string> },
): Promise<Acted> {
  const { service, clock } = context;
  const { subscription, merchant } = opened;
  const { id, merchantId, mode } = subscription;
  const now = pageNow(context, { merchant, mode });
  const change = { id, merchantId, mode, actor: 'customer', now };
  const { confirmation: text = '' } = form;
  const reader = readerOf(request);
  await setLanguage(service, { id, language: languageOf(reader.code), now });
  switch (form.do) {
    case 'pay':
    case 'method': {
      const read = readMethod(reader, form);
      if ('refused' in read) return { shown: { input: read.refused } };
      const { method } = read;
      const visitor = { address: request.ip };
      if (form.do === 'method') {
        await changeSubscriptionMethod(service, { ...change, method, visitor });
        return { shown: { said: 'methodChanged' } };
      }
      const charge = await paySubscription(service, { ...change, method, visitor });
      return { answer: goToCharge(context, request, reply, charge), shown: {} };
    }
    case 'reminders-on':
    case 'reminders-off':
      await setReminders(service, { id, off: form.do === 'reminders-off', now });
      return { shown: { said: 'remindersChanged' } };
    case 'cancel': {
      const machineNow = clock.now();
      const done = await requestCancellation(service, { ...change, merchant, machineNow });
      if (done === 'email') return { shown: { said: 'cancelMailed' } };
      return { shown: done === 'sms' ? { said: 'cancelTexted' } : {} };
    }
    case 'confirm':
      if (!isCancelConfirmation(service.secrets, subscription, { text, now: clock.now() }))
        return { shown: isOngoing(subscription) ? { said: 'confirmationEnded' } : {} };
      await cancelSubscription(service, change);
      return { shown: {} };
    default:
      return { shown: {} };
  }
}
