import { plainDecimal } from '../../format/amount.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import type { Period, PlanRow } from './plan-row.ts';
import type { createPlanMutation } from './plans-query.ts';

type CreateInput = VariablesOf<typeof createPlanMutation>['input'];
export type PlanMethods = NonNullable<CreateInput['methods']>;

/** A line of what is paid for, as it stands in the form. */
export type OrderLine = { key: number; id: string | null; name: string; quantity: string; amount: string };

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
  const orders = lines.filter(({ name, quantity, amount, id }) => name || quantity || amount || id);
  return {
    name: textOf(form, 'name'),
    orders: orders.map(({ id, name, quantity, amount }) => ({
      ...(id !== null && { id }),
      ...(name.trim() && { name: name.trim() }),
      ...(quantity.trim() && { quantity: Number(quantity) }),
      ...(amount.trim() && { amount: plainDecimal(amount) }),
    })),
  };
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
