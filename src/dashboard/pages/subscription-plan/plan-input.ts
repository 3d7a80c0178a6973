import { getAmount, getNumber, getText } from '../../components/form.tsx';
import { type OrderLineFields, parseOrderLines } from '../../components/order-line.ts';
import { toFieldAmount } from '../../format/amount.ts';
import type { AcceptedMethod } from '../payment-methods.ts';
import type { PlanPeriod, PlanRow } from './plan-row.ts';

type PlanMethods = AcceptedMethod['code'][];

/** The controlled values in the form of a plan. */
export type PlanChoices = {
  currency: string;
  period: PlanPeriod;
  initialPeriod: PlanPeriod;
  sendEmail: boolean;
  methods: PlanMethods;
  isTaxInclusive: boolean;
  lines: OrderLineFields[];
};

/**
 * Returns the input that can always be changed: name, items and tax. Throws `FieldInputError` if an amount or a
 * quantity cannot be parsed.
 */
export function readPlanDescription(form: FormData, { lines, currency, isTaxInclusive }: PlanChoices) {
  const [name, rate] = [getText(form, 'tax.name'), getText(form, 'tax.rate')];
  return {
    name: getText(form, 'name'),
    orders: parseOrderLines(lines, currency),
    tax: name === '' && rate === '' ? null : { name, rate: rate || '0', isInclusive: isTaxInclusive },
  };
}

/** Returns the terms, which are fixed after the first enrolment. Throws `FieldInputError` if an amount is invalid. */
export function readPlanTerms(form: FormData, choices: PlanChoices) {
  const { currency } = choices;
  const initialAmount = getAmount(form, 'initialPayment.amount', currency);
  const initialCount = getNumber(form, 'initialPayment.count');
  const hasInitialPayment = initialAmount !== '' || initialCount !== null;
  return {
    currency,
    recurringPayment: {
      amount: getAmount(form, 'recurringPayment.amount', currency),
      period: choices.period,
      count: getNumber(form, 'recurringPayment.count') ?? 1,
    },
    initialPayment: hasInitialPayment
      ? {
          ...(initialAmount !== '' && { amount: initialAmount }),
          ...(initialCount !== null && { period: choices.initialPeriod, count: initialCount }),
        }
      : null,
    numPayments: getNumber(form, 'numPayments'),
    sendEmail: choices.sendEmail,
    invoiceNoticeDays: getNumber(form, 'invoiceNoticeDays'),
    gracePeriodDays: getNumber(form, 'gracePeriodDays'),
    methods: choices.methods,
  };
}

/** Returns the initial values of the form: those of `plan`, or defaults. */
export function toPlanChoices(
  plan: PlanRow | undefined,
): Omit<PlanChoices, 'currency'> & { currency: string | null } {
  return {
    currency: plan?.currency ?? null,
    period: plan?.recurringPayment.period ?? 'months',
    initialPeriod: plan?.initialPayment?.period ?? 'days',
    sendEmail: plan?.sendEmail ?? true,
    methods: [...(plan?.selectedMethods ?? [])],
    isTaxInclusive: plan?.tax?.isInclusive ?? true,
    lines: plan
      ? plan.orders.map(({ orderId, name, quantity, amount }, key) => ({
          key,
          id: orderId,
          name: name ?? '',
          quantity: quantity?.toString() ?? '',
          amount: amount === null ? '' : toFieldAmount(amount, plan.currency),
        }))
      : [],
  };
}
