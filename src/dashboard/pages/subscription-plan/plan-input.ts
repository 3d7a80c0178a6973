import { plainDecimal } from '../../format/amount.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { type OrderLine, readOrders } from '../../parts/order-line.ts';
import type { Period, PlanRow } from './plan-row.ts';
import type { createPlanMutation } from './plans-query.ts';

type CreateInput = VariablesOf<typeof createPlanMutation>['input'];
type PlanMethods = NonNullable<CreateInput['methods']>;

/** What the form keeps besides its plain fields. */
export type PlanChoices = {
  currency: string;
  period: Period;
  initialPeriod: Period;
  sendEmail: boolean;
  methods: string[];
  lines: OrderLine[];
};

/** What always changes. */
export function readTexts(form: FormData, lines: readonly OrderLine[]) {
  return { name: textOf(form, 'name'), orders: readOrders(lines) };
}

/** The terms, which are fixed once somebody has enrolled. */
export function readTerms(form: FormData, choices: PlanChoices) {
  const number = (name: string) => {
    const text = textOf(form, name);
    return text === '' ? null : Number(text);
  };
  const initialAmount = plainDecimal(textOf(form, 'initialAmount'));
  const initialCount = number('initialCount');
  const isDifferent = initialAmount !== '' || initialCount !== null;
  return {
    currency: choices.currency,
    recurringPayment: {
      amount: plainDecimal(textOf(form, 'amount')),
      period: choices.period,
      count: number('count') ?? 1,
    },
    initialPayment: isDifferent
      ? {
          ...(initialAmount !== '' && { amount: initialAmount }),
          ...(initialCount !== null && { period: choices.initialPeriod, count: initialCount }),
        }
      : null,
    numPayments: number('numPayments'),
    sendEmail: choices.sendEmail,
    invoiceNotice: number('invoiceNotice'),
    gracePeriod: number('gracePeriod'),
    methods: choices.methods as PlanMethods,
  };
}

function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? '').trim();
}

/** How the form begins: as a known plan, or with what is usual. */
export function choicesOf(plan: PlanRow | undefined): PlanChoices {
  return {
    currency: plan?.currency ?? 'HKD',
    period: plan?.recurringPayment.period ?? 'months',
    initialPeriod: plan?.initialPayment?.period ?? 'days',
    sendEmail: plan?.sendEmail ?? true,
    methods: [...(plan?.methods ?? [])],
    lines: (plan?.orders ?? []).map((order, key) => ({
      key,
      id: order.id ?? null,
      name: order.name ?? '',
      quantity: order.quantity?.toString() ?? '',
      amount: order.amount ?? '',
    })),
  };
}
