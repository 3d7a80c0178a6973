import type { SubscriptionPlan } from '../../../../prisma/client/client.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { type Money, toDecimal } from '../../../kit/money.ts';
import { checkNonEmpty } from '../../../kit/text.ts';
import { formatTaxRate } from '../../../language/format-tax-rate.ts';
import type { OrderLine } from '../../platform/order-line.ts';

/** The unvalidated tax of a plan. `rate` is a percentage, as a number or decimal string. */
export type TaxInput = { name: string; rate: number | string; isInclusive?: boolean | null | undefined };

export type TaxFields = Pick<SubscriptionPlan, 'taxName' | 'taxRate' | 'taxInclusive'>;

/** A price with its tax, in minor units: `net + tax = total`. */
export type TaxedPrice = { net: bigint; tax: bigint; total: bigint };

export type Tax = { name: string; rate: Decimal; isInclusive: boolean };

/** Returns the tax of a plan or an invoice, or undefined if there is none. */
export function getTax({ taxName, taxRate, taxInclusive }: TaxFields): Tax | undefined {
  if (taxName === null || taxRate === null) return undefined;
  return { name: taxName, rate: new Decimal(taxRate.toString()), isInclusive: taxInclusive };
}

const taxNameLengthMax = 30;

export function parseTax(input: TaxInput | null | undefined): {
  taxName: string | null;
  taxRate: Decimal | null;
  taxInclusive: boolean;
} {
  if (!input) return { taxName: null, taxRate: null, taxInclusive: true };
  const text = String(input.rate);
  const rate = /^\d{1,3}(\.\d{1,4})?$/.test(text) ? new Decimal(text) : undefined;
  if (!rate || rate.lte(0) || rate.gt(100))
    throw invalidInputError(
      '/tax/rate',
      'must be a percentage above 0 and up to 100, with at most 4 decimals',
    );
  return {
    taxName: checkNonEmpty(input.name, '/tax/name', { max: taxNameLengthMax }),
    taxRate: rate,
    taxInclusive: input.isInclusive ?? true,
  };
}

/**
 * Adds the tax to an amount, or extracts it from an amount that includes it. Only the tax is rounded, once and
 * half up, to a minor unit.
 */
export function applyTax(minor: bigint, { taxRate, taxInclusive }: TaxFields): TaxedPrice {
  if (taxRate === null) return { net: minor, tax: 0n, total: minor };
  const rate = new Decimal(taxRate.toString());
  const exactTax = new Decimal(minor.toString()).mul(rate).div(taxInclusive ? rate.add(100) : 100);
  const tax = BigInt(exactTax.toFixed(0, Decimal.ROUND_HALF_UP));
  return taxInclusive ? { net: minor - tax, tax, total: minor } : { net: minor, tax, total: minor + tax };
}

type PriceTerms = Pick<SubscriptionPlan, 'amount' | 'currency'> & TaxFields;

/**
 * Returns the total of the first payment with tax: of the plan's initial amount, which may be 0, or, if there
 * is none, of the recurring amount.
 */
export function getInitialMoney(plan: PriceTerms & Pick<SubscriptionPlan, 'initialAmount'>): Money {
  return { minor: applyTax(plan.initialAmount ?? plan.amount, plan).total, currency: plan.currency };
}

/** Returns the total of a renewal at the price of the plan, with tax. */
export function getRecurringMoney(plan: PriceTerms): Money {
  return { minor: applyTax(plan.amount, plan).total, currency: plan.currency };
}

/** Adds a line with an exclusive tax to order lines, so that they add up to the total. */
export function addTaxLine(
  orders: readonly OrderLine[],
  { taxName, taxRate, taxInclusive }: TaxFields,
  tax: Money,
): OrderLine[] {
  if (taxRate === null || taxInclusive || orders.length === 0) return [...orders];
  return [...orders, { name: `${taxName} ${formatTaxRate('en', taxRate)}`, amount: toDecimal(tax) }];
}
