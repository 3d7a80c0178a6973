import type { Merchant, Mode, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import { quoteMethods } from '../../payments/charge/quote-methods.ts';
import type { Service } from '../../platform/service.ts';
import { getInitialMoney, getRecurringMoney, type TaxFields } from './tax.ts';

/**
 * Checks that the merchant's methods can accept each of the plan's amounts. Throws the errors of
 * `quoteMethods`.
 */
export async function checkPlanPayable(
  service: Service,
  options: {
    merchant: Merchant;
    mode: Mode;
    terms: Pick<SubscriptionPlan, 'amount' | 'initialAmount' | 'currency' | 'methods'> & TaxFields;
    now: Date;
  },
): Promise<void> {
  const { merchant, mode, terms, now } = options;
  const quoteOptions = { merchant, mode, methods: terms.methods, now };
  const recurring = getRecurringMoney(terms);
  await quoteMethods(service, { ...quoteOptions, money: recurring });
  const initial = getInitialMoney(terms);
  if (initial.minor > 0n && initial.minor !== recurring.minor) {
    await quoteMethods(service, { ...quoteOptions, money: initial });
  }
}
