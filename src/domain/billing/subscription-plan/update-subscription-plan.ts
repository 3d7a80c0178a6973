import type { Merchant, Mode, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import { SubscriptionPlanStatus } from '../../../../prisma/client/enums.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { toCanonicalJson } from '../../../kit/canonical-json.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { toDecimal } from '../../../kit/money.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { OrderLineInput } from '../../platform/order-line.ts';
import type { Service } from '../../platform/service.ts';
import { checkPlanPayable } from './check-plan-payable.ts';
import { getSubscriptionPlan, planNotFoundError } from './find-subscription-plans.ts';
import { type PlanTermsInput, parsePlanName, parsePlanTerms } from './plan-input.ts';
import { getRecurringMoney, getTax } from './tax.ts';

/**
 * Undefined leaves a value unchanged. Null resets an optional term to its default, and leaves `name` and `status`
 * unchanged.
 */
type UpdateSubscriptionPlanInput = Partial<PlanTermsInput> & {
  name?: string | null | undefined;
  status?: string | null | undefined;
};

/**
 * Updates a plan. Once the plan has subscriptions, only name, status, orders and tax can change. Throws
 * `subscription_plan_not_found`, `plan_terms_fixed` and the errors of `createSubscriptionPlan`.
 */
export async function updateSubscriptionPlan(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    mode: Mode;
    id: string;
    input: UpdateSubscriptionPlanInput;
    now: Date;
  },
): Promise<SubscriptionPlan> {
  const { merchant, mode, id, input, now, audit } = options;
  const merchantId = merchant.id;
  const { name, status } = input;
  const current = await getSubscriptionPlan(service, { merchantId, mode, id });
  const parsedTerms = parsePlanTerms({ ...toTermsInput(current), ...pickDefinedTerms(input) });
  const isSamePrice = getRecurringMoney(current).minor === getRecurringMoney(parsedTerms).minor;
  if (!isSamePrice || !isSameJson(pickFixedTerms(current), pickFixedTerms(parsedTerms))) {
    await checkPlanPayable(service, { merchant, mode, terms: parsedTerms, now });
  }
  const changes = {
    ...(name != null && { name: parsePlanName(name) }),
    ...(status != null && { status: parseStatus(status) }),
    updatedAt: now,
  };
  return transact(service, async (uow) => {
    const { tx } = uow;
    const plan = await lockPlan(tx, id);
    const terms = parsePlanTerms({ ...toTermsInput(plan), ...pickDefinedTerms(input) });
    if (!isSameJson(pickFixedTerms(plan), pickFixedTerms(terms))) await requireNoSubscriptions(tx, plan);
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'subscription_plan.updated',
        objectId: id,
      });
    return tx.subscriptionPlan.update({ where: { id }, data: { ...terms, ...changes } });
  });
}

/**
 * Locks a plan and returns it. Enrolments and changes of terms hold a shared lock on the plan, so no subscription can
 * get it between the check for subscriptions and the update.
 */
async function lockPlan(tx: Tx, id: string): Promise<SubscriptionPlan> {
  await tx.$queryRaw`SELECT 1 FROM subscription_plan WHERE id = ${id} FOR UPDATE`;
  const plan = await tx.subscriptionPlan.findUnique({ where: { id } });
  if (!plan) throw planNotFoundError(id);
  return plan;
}

async function requireNoSubscriptions(tx: Tx, { id, merchantId, mode }: SubscriptionPlan): Promise<void> {
  const where = { merchantId, mode, planId: id };
  const subscription = await tx.subscription.findFirst({ where, select: { id: true } });
  if (subscription)
    throw new DomainError(
      'plan_terms_fixed',
      `The terms of the plan ${id} cannot be changed, because it has subscriptions`,
    );
}

type PlanTerms = ReturnType<typeof parsePlanTerms>;

/** Returns the terms that cannot change once the plan has subscriptions: all but the orders and the tax. */
function pickFixedTerms(terms: PlanTerms | SubscriptionPlan) {
  const { currency, amount, period, count, initialAmount, initialPeriod, initialCount } = terms;
  const { numPayments, sendEmail, invoiceNotice, gracePeriod, methods } = terms;
  return {
    currency,
    period,
    count,
    initialPeriod,
    initialCount,
    numPayments,
    sendEmail,
    invoiceNotice,
    gracePeriod,
    methods,
    amount: String(amount),
    initialAmount: initialAmount === null ? null : String(initialAmount),
  };
}

function isSameJson(a: object, b: object): boolean {
  return toCanonicalJson(a) === toCanonicalJson(b);
}

/** Converts stored terms back to their input form. */
function toTermsInput(plan: SubscriptionPlan): PlanTermsInput {
  const { currency, initialAmount } = plan;
  const tax = getTax(plan);
  return {
    currency,
    recurringPayment: {
      amount: toDecimal({ minor: plan.amount, currency }),
      period: plan.period,
      count: plan.count,
    },
    initialPayment: {
      amount: initialAmount === null ? null : toDecimal({ minor: initialAmount, currency }),
      period: plan.initialPeriod,
      count: plan.initialCount,
    },
    numPayments: plan.numPayments,
    sendEmail: plan.sendEmail,
    invoiceNotice: plan.invoiceNotice,
    gracePeriod: plan.gracePeriod,
    orders: plan.orders as OrderLineInput[],
    methods: plan.methods,
    tax: tax && { ...tax, rate: tax.rate.toFixed() },
  };
}

function pickDefinedTerms({ name: _, status: __, ...terms }: UpdateSubscriptionPlanInput) {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
}

function parseStatus(text: string): SubscriptionPlanStatus {
  if (Object.hasOwn(SubscriptionPlanStatus, text)) return text as SubscriptionPlanStatus;
  throw invalidInputError('/status', 'must be active or inactive');
}
