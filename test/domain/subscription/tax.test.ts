import { describe, expect, test } from 'vitest';
import { getInitialOrders, getPlanOrders } from '../../../src/domain/billing/subscription/billing-terms.ts';
import {
  applyTax,
  getInitialMoney,
  getRecurringMoney,
  parseTax,
} from '../../../src/domain/billing/subscription-plan/tax.ts';
import { hasOrderMismatch } from '../../../src/domain/platform/order-line.ts';
import { Decimal } from '../../../src/kit/decimal.ts';
import { count } from '../../setup/counts.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { seedPlan } from '../../setup/subscriptions.ts';

const tax = (rate: string, isInclusive = true) => parseTax({ name: 'GST', rate, isInclusive });

/** Random amounts up to the maximum, and rates with up to 4 decimals. */
const cases = Array.from({ length: count(2_000, 100_000) }, () => {
  const minor = BigInt(Math.ceil(10 ** (Math.random() * 14)));
  const decimals = Math.floor(Math.random() * 5);
  const rate = Math.max(Number((Math.random() * 100).toFixed(decimals)), 10 ** -decimals);
  return { minor, rate: rate.toFixed(decimals), isInclusive: Math.random() < 0.5 };
});

describe('Tax', () => {
  test('adds up with the net amount to the total, and is rounded once and half up', () => {
    for (const { minor, rate, isInclusive } of cases) {
      const price = applyTax(minor, tax(rate, isInclusive));
      const label = `${minor} at ${rate}, ${isInclusive ? 'inclusive' : 'exclusive'}`;
      expect(price.net + price.tax, label).toBe(price.total);
      expect(isInclusive ? price.total : price.net, label).toBe(minor);
      const exact = new Decimal(String(minor)).mul(rate).div(isInclusive ? new Decimal(rate).add(100) : 100);
      const error = new Decimal(String(price.tax)).sub(exact);
      expect(error.gt(-0.5) && error.lte(0.5), label).toBe(true);
    }
  });

  test.for([
    ['exclusive', 10_000n, '9', false, 10_000n, 900n, 10_900n],
    ['inclusive', 10_900n, '9', true, 10_000n, 900n, 10_900n],
    ['rounded half up', 50n, '5', false, 50n, 3n, 53n],
    ['below half a minor unit', 9n, '5', false, 9n, 0n, 9n],
    ['with decimals', 12_345n, '8.375', false, 12_345n, 1_034n, 13_379n],
  ] as const)('is exact when it is %s', ([, minor, rate, isInclusive, net, amount, total]) => {
    expect(applyTax(minor, tax(rate, isInclusive))).toEqual({ net, tax: amount, total });
  });

  test.for([
    ['0', '/tax/rate'],
    ['100.1', '/tax/rate'],
    ['-1', '/tax/rate'],
    ['8.12345', '/tax/rate'],
    ['1e1', '/tax/rate'],
  ])('is rejected with the rate %s', ([rate, path]) => {
    expect(() => tax(rate!)).toThrow(
      expect.objectContaining({ inputErrors: [expect.objectContaining({ path })] }),
    );
  });
});

serviceTest(
  'An exclusive tax is a line of its own, with which the order lines add up to the total',
  async ({ service, merchant }) => {
    const orders = [{ name: 'Dragon Well', quantity: 2, amount: 50 }];
    const input = { orders, tax: { name: 'GST', rate: '8.25', isInclusive: false } };
    const plan = await seedPlan(service, merchant, { input });
    expect(getRecurringMoney(plan)).toEqual({ minor: 10_825n, currency: 'HKD' });
    expect(getPlanOrders(plan)).toEqual([
      { name: 'Dragon Well', quantity: 2, amount: '50.00' },
      { name: 'GST 8.25%', amount: '8.25' },
    ]);
    expect(hasOrderMismatch(getPlanOrders(plan), getRecurringMoney(plan))).toBe(false);
  },
);

serviceTest(
  'The order lines of a first payment have prices only if it costs as much as a renewal',
  async ({ service, merchant }) => {
    const orders = [{ name: 'Tea', amount: 30 }];
    const tax = { name: 'GST', rate: '10', isInclusive: false };
    const recurringPayment = { amount: 30, period: 'months', count: 1 } as const;
    const seed = (amount: number) =>
      seedPlan(service, merchant, { input: { orders, tax, recurringPayment, initialPayment: { amount } } });
    const [cheaper, same] = [await seed(10), await seed(30)];
    expect(getInitialOrders(cheaper)).toEqual([{ name: 'Tea' }, { name: 'GST 10%', amount: '1.00' }]);
    expect(getInitialOrders(same)).toEqual([
      { name: 'Tea', amount: '30.00' },
      { name: 'GST 10%', amount: '3.00' },
    ]);
    for (const plan of [cheaper, same])
      expect(hasOrderMismatch(getInitialOrders(plan), getInitialMoney(plan))).toBe(false);
  },
);
