import { PeriodUnit } from '../../../../prisma/client/enums.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { checkInteger } from '../../../kit/integer.ts';
import { type Money, parseMoney } from '../../../kit/money.ts';
import { checkNonEmpty } from '../../../kit/text.ts';
import { type OrderLineInput, parseOrderLines } from '../../platform/order-line.ts';
import { parseMethods } from '../../platform/parse-methods.ts';
import { parseTax, type TaxInput } from './tax.ts';

/**
 * The unvalidated terms of a plan. Amounts are in major units, as numbers or decimal strings; `invoiceNotice`
 * and `gracePeriod` are in days.
 */
export type PlanTermsInput = {
  currency: string;
  recurringPayment: { amount: number | string; period: string; count: number };
  initialPayment?:
    | {
        amount?: number | string | null | undefined;
        period?: string | null | undefined;
        count?: number | null | undefined;
      }
    | null
    | undefined;
  numPayments?: number | null | undefined;
  sendEmail?: boolean | null | undefined;
  invoiceNotice?: number | null | undefined;
  gracePeriod?: number | null | undefined;
  orders?: readonly OrderLineInput[] | null | undefined;
  methods?: readonly string[] | null | undefined;
  tax?: TaxInput | null | undefined;
};

/** The maximum number of days, months or years between two payments. */
const intervalCountMax = 400;
/** The maximum number of days of the invoice notice and of the grace period. */
const daysMax = 400;
const numPaymentsMax = 10_000;
const planNameLengthMax = 200;

export function parsePlanName(name: string): string {
  return checkNonEmpty(name, '/name', { max: planNameLengthMax });
}

/** Validates the terms of a plan and applies defaults. Throws `invalid_request` or `currency_unsupported`. */
export function parsePlanTerms(input: PlanTermsInput) {
  const { recurringPayment, currency } = input;
  const money = parseMoney(recurringPayment.amount, currency, '/recurringPayment/amount');
  return {
    currency,
    amount: money.minor,
    period: parsePeriod(recurringPayment.period, '/recurringPayment/period'),
    count: checkInteger(recurringPayment.count, '/recurringPayment/count', { min: 1, max: intervalCountMax }),
    ...parseInitialPayment(input.initialPayment, currency),
    numPayments:
      input.numPayments == null
        ? null
        : checkInteger(input.numPayments, '/numPayments', { min: 1, max: numPaymentsMax }),
    sendEmail: input.sendEmail ?? true,
    invoiceNotice: checkInteger(input.invoiceNotice ?? 2, '/invoiceNotice', { min: 0, max: daysMax }),
    gracePeriod: checkInteger(input.gracePeriod ?? 1, '/gracePeriod', { min: 0, max: daysMax }),
    orders: parseOrderLines(input.orders, currency),
    methods: parseMethods(input.methods),
    ...parseTax(input.tax),
  };
}

function parseInitialPayment(input: PlanTermsInput['initialPayment'], currency: Money['currency']) {
  const { amount, period, count } = input ?? {};
  if ((period == null) !== (count == null)) {
    throw invalidInputError('/initialPayment', 'must have both period and count, or neither');
  }
  const path = '/initialPayment/amount';
  return {
    initialAmount: amount == null ? null : parseMoney(amount, currency, path, { allowZero: true }).minor,
    initialPeriod: period == null ? null : parsePeriod(period, '/initialPayment/period'),
    initialCount:
      count == null ? null : checkInteger(count, '/initialPayment/count', { min: 1, max: intervalCountMax }),
  };
}

function parsePeriod(text: string, path: string): PeriodUnit {
  if (Object.hasOwn(PeriodUnit, text)) return text as PeriodUnit;
  throw invalidInputError(path, `must be one of ${Object.keys(PeriodUnit).join(', ')}`);
}
