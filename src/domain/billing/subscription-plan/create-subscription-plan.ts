import type { Merchant, Mode, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { newId } from '../../../kit/id.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { checkPlanPayable } from './check-plan-payable.ts';
import { type PlanTermsInput, parsePlanName, parsePlanTerms } from './plan-input.ts';

export type CreateSubscriptionPlanInput = PlanTermsInput & { name: string };

/**
 * Creates a plan. Throws `invalid_request`, `currency_unsupported`, and the errors of `quoteMethods` if no
 * method of the merchant can accept the plan's amounts.
 */
export async function createSubscriptionPlan(
  service: Service,
  options: Audited & { merchant: Merchant; mode: Mode; input: CreateSubscriptionPlanInput; now: Date },
): Promise<SubscriptionPlan> {
  const { merchant, mode, input, now, audit } = options;
  const { name, ...terms } = input;
  const parsedTerms = parsePlanTerms(terms);
  await checkPlanPayable(service, { merchant, mode, terms: parsedTerms, now });
  const data = {
    id: newId('plan', now),
    merchantId: merchant.id,
    mode,
    name: parsePlanName(name),
    ...parsedTerms,
    createdAt: now,
    updatedAt: now,
  };
  return transact(service, async (uow) => {
    const plan = await uow.tx.subscriptionPlan.create({ data });
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId: merchant.id,
        mode,
        action: 'subscription_plan.created',
        objectId: plan.id,
      });
    return plan;
  });
}
