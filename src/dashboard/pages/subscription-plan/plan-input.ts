import { amountOf, numberOf, textOf } from '../../components/form.tsx';
import { type OrderLine, readOrders } from '../../components/order-line.ts';
import type { PaymentMethod } from '../payment-methods.ts';
import type { Period, PlanRow } from './plan-row.ts';

type PlanMethods = PaymentMethod['method'][];

/** What the form keeps besides its plain fields. */
export type PlanChoices = {
  currency: string;
  period: Period;
  initialPeriod: Period;
  sendEmail: boolean;
  methods: PlanMethods;
  lines: OrderLine[];
};

/** What always changes. Error: `Unclear`. */
export function readTexts(form: FormData, { lines, currency }: PlanChoices) {
  return { name: textOf(form, 'name'), orders: readOrders(lines, currency) };
}

/** The terms, which are fixed once somebody has enrolled. Error: `Unclear`. */
export function readTerms(form: FormData, choices: PlanChoices) {
  const { currency } = choices;
  const initialAmount = amountOf(form, 'initialAmount', currency, 'initialPayment/amount');
  const initialCount = numberOf(form, 'initialCount');
  const isDifferent = initialAmount !== '' || initialCount !== null;
  return {
    currency,
    recurringPayment: {
      amount: amountOf(form, 'amount', currency, 'recurringPayment/amount'),
      period: choices.period,
      count: numberOf(form, 'count') ?? 1,
    },
    initialPayment: isDifferent
      ? {
          ...(initialAmount !== '' && { amount: initialAmount }),
          ...(initialCount !== null && { period: choices.initialPeriod, count: initialCount }),
        }
      : null,
    numPayments: numberOf(form, 'numPayments'),
    sendEmail: choices.sendEmail,
    invoiceNotice: numberOf(form, 'invoiceNotice'),
    gracePeriod: numberOf(form, 'gracePeriod'),
    methods: choices.methods,
  };
}

/** How the form begins: as a known plan, or with what is usual. */
export function choicesOf(plan: PlanRow | undefined): PlanChoices {
  return {
    currency: plan?.currency ?? 'HKD',
    period: plan?.recurringPayment.period ?? 'months',
    initialPeriod: plan?.initialPayment?.period ?? 'days',
    sendEmail: plan?.sendEmail ?? true,
    methods: [...(plan?.namedMethods ?? [])],
    lines: (plan?.orders ?? []).map((order, key) => ({
      key,
      id: order.id ?? null,
      name: order.name ?? '',
      quantity: order.quantity?.toString() ?? '',
      amount: order.amount ?? '',
    })),
  };
}
