import type { Charge, ReceivingAccount } from '../../../../prisma/client/client.ts';
import { fillText } from '../../../language/fill-text.ts';
import { formatDateTime, formatMoney, getLocale } from '../../../language/format.ts';
import { languages } from '../../../language/languages.ts';
import type { Service } from '../../platform/service.ts';
import { getCustomerLanguage } from '../charge/customer-language.ts';
import { getOutstandingMoney } from '../charge/outstanding-money.ts';
import { getChargeUrl } from '../customer-page/checkout-url.ts';

/**
 * Returns a message that asks the customer of a partly paid charge for the rest, in the customer's language, or null if
 * the charge is not open or not partly paid.
 */
export function formatOutstandingMessage(
  service: Pick<Service, 'settings' | 'secrets'>,
  charge: Charge & { receivingAccount: Pick<ReceivingAccount, 'timeZone'> },
): string | null {
  if (charge.status !== 'pending' || charge.amountReceived <= 0n) return null;
  const language = getCustomerLanguage(charge);
  const locale = getLocale(language);
  const format = (minor: bigint) => formatMoney(locale, { minor, currency: charge.customerCurrency });
  return fillText(languages[language].pay.outstandingMessage, {
    received: format(charge.amountReceived),
    requested: format(charge.customerAmount),
    remaining: format(getOutstandingMoney(charge).minor),
    time: formatDateTime(locale, charge.expiresAt, charge.receivingAccount.timeZone),
    url: getChargeUrl(service, charge),
  });
}
