import { type Merchant, type Mode, Prisma, type SubscriptionLink } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import { type CustomerInput, parseCustomer } from '../../payments/customer/customer-input.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { type MetadataInput, parseMetadata } from '../../platform/metadata.ts';
import { parseNotifyPayload } from '../../platform/notify-payload.ts';
import { parsePaymentMethods } from '../../platform/parse-methods.ts';
import type { Service } from '../../platform/service.ts';
import { parseRedirectUrl } from '../../platform/target-url.ts';
import { checkPlanPayable } from '../subscription-plan/check-plan-payable.ts';
import { getSubscriptionPlan } from '../subscription-plan/find-subscription-plans.ts';

export type CreateSubscriptionLinkInput = {
  subscriptionPlanId: string;
  customer?: CustomerInput | null | undefined;
  notifyPayload?: string | null | undefined;
  metadata?: MetadataInput;
  redirectUrl?: string | null | undefined;
  /**
   * Maps country codes to methods; an empty list means all methods of that country. Other countries are not
   * offered.
   */
  paymentMethods?: Record<string, readonly string[]> | null | undefined;
};

/**
 * Creates a link through which any number of customers can enrol into a plan. Throws
 * `subscription_plan_not_found`, `subscription_plan_inactive`, `invalid_request`, and the errors of
 * `quoteMethods` if no offered method can accept the plan's amounts.
 */
export async function createSubscriptionLink(
  service: Service,
  options: LinkOptions & Audited,
): Promise<SubscriptionLink> {
  const { merchant, mode, audit } = options;
  const data = await prepareSubscriptionLink(service, options);
  return transact(service, async (uow) => {
    const link = await uow.tx.subscriptionLink.create({ data });
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId: merchant.id,
        mode,
        action: 'subscription_link.created',
        objectId: link.id,
      });
    return link;
  });
}

type LinkOptions = { merchant: Merchant; mode: Mode; input: CreateSubscriptionLinkInput; now: MerchantTime };

/** Validates the input and returns the row of a link. Throws the errors of `createSubscriptionLink`. */
export async function prepareSubscriptionLink(service: Service, options: LinkOptions) {
  const { merchant, mode, input, now } = options;
  const id = input.subscriptionPlanId;
  const plan = await getSubscriptionPlan(service, { merchantId: merchant.id, mode, id });
  if (plan.status !== 'active') throw new DomainError('subscription_plan_inactive');
  const methods = getOfferedMethods(parsePaymentMethods(input.paymentMethods) ?? [], plan.methods);
  await checkPlanPayable(service, { merchant, mode, terms: { ...plan, methods }, now });
  const rules = { mode, redirectSchemes: merchant.redirectSchemes, ...service.settings };
  return {
    id: newId('subscriptionLink', now),
    merchantId: merchant.id,
    mode,
    planId: plan.id,
    methods,
    notifyPayload: parseNotifyPayload(input.notifyPayload),
    metadata: parseMetadata(input.metadata) ?? Prisma.DbNull,
    redirectUrl: parseRedirectUrl(input.redirectUrl, '/redirectUrl', rules),
    customer: parseCustomer(input.customer) ?? Prisma.DbNull,
    createdAt: now,
  };
}

/**
 * Returns the methods that both the link and the plan offer; an empty list offers all methods. Throws
 * `method_unavailable` if they have none in common, which can also happen later: a plan without subscriptions can
 * be edited after the link was created.
 */
export function getOfferedMethods(linkMethods: readonly string[], planMethods: readonly string[]): string[] {
  if (linkMethods.length === 0 || planMethods.length === 0)
    return [...(linkMethods.length === 0 ? planMethods : linkMethods)];
  const common = planMethods.filter((method) => linkMethods.includes(method));
  if (common.length > 0) return common;
  throw new DomainError('method_unavailable', 'The plan offers none of the requested payment methods');
}
