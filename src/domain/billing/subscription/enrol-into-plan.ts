import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { getCountryLanguage } from '../../../language/country-language.ts';
import { checkSmsNumber } from '../../../message/sms-number.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { parseCustomer } from '../../payments/customer/customer-input.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { parseLanguage } from '../../platform/parse-language.ts';
import type { Service } from '../../platform/service.ts';
import { type CreateSubscriptionLinkInput, prepareSubscriptionLink } from './create-subscription-link.ts';
import { checkOfferedMethod, type Enrolment, enrolInTransaction } from './enrol.ts';

type EnrolInput = Omit<CreateSubscriptionLinkInput, 'paymentMethods'> & {
  method: MethodCode;
  /**
   * The language of emails and invoices. Defaults to the language of the method's country.
   */
  language?: string | null | undefined;
};

/**
 * Enrols a customer on request of the merchant's server, through a link created for this purpose. The
 * customer needs an email address, or a phone that can receive SMS. Throws the errors of
 * `createSubscriptionLink` and `enrol`.
 */
export async function enrolIntoPlan(
  service: Service,
  options: Audited & { merchant: Merchant; mode: Mode; actor: string; input: EnrolInput; now: MerchantTime },
): Promise<Enrolment> {
  const { merchant, mode, actor, input, now, audit } = options;
  const { method, language: languageInput, ...linkInput } = input;
  const language = parseLanguage(languageInput) ?? getCountryLanguage(paymentMethods[method].country);
  const customer = parseCustomer(linkInput.customer) ?? {};
  if (customer.email === undefined && customer.phone === undefined) {
    throw invalidInputError('/customer', 'must have an email or a phone');
  }
  // Without an email address, SMS is the only way to confirm a cancellation.
  if (customer.email === undefined) checkSmsNumber(customer.phone as string, '/customer/phone', merchant);
  const data = await prepareSubscriptionLink(service, { merchant, mode, input: linkInput, now });
  await checkOfferedMethod(service, { merchant, link: data, method });
  return transact(service, async (uow) => {
    const link = await uow.tx.subscriptionLink.create({ data });
    const enrolment = await enrolInTransaction(uow, {
      merchant,
      link,
      method,
      customer,
      language,
      actor,
      now,
    });
    const objectId = enrolment.subscription.id;
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId: merchant.id,
        mode,
        action: 'subscription.created',
        objectId,
      });
    return enrolment;
  });
}
