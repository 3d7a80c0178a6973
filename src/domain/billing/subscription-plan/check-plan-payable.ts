import type { Merchant, Mode, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import { quoteMethods } from '../../payments/checkout/quote-methods.ts';
import type { Service } from '../../platform/service.ts';
import { getInitialMoney, getRecurringMoney } from '../subscription/billing-terms.ts';

/**
 * Checks that the merchant's methods can accept each of the plan's amounts. Throws the errors of
 * `quoteMethods`.
 */
export async function checkPlanPayable(
  service: Service,
  options: {
    merchant: Merchant;
    mode: Mode;
    terms: Pick<SubscriptionPlan, 'amount' | 'initialAmount' | 'currency' | 'methods'>;
    now: Date;
  },
): Promise<void> {
  const { merchant, mode, terms, now } = options;
  const quoteOptions = { merchant, mode, methods: terms.methods, now };
  await quoteMethods(service, { ...quoteOptions, money: getRecurringMoney(terms) });
  const initial = getInitialMoney(terms);
  if (initial.minor > 0n && initial.minor !== terms.amount) {
    await quoteMethods(service, { ...quoteOptions, money: initial });
  }
}
