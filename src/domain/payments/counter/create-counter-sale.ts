import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { Audited } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { createSession } from '../session/create-session.ts';
import { type CounterSale, getCounterSale } from './counter-sale.ts';
import { findCounterItem } from './find-counter-items.ts';

type CreateCounterSaleInput = {
  /** A saved item, or an amount with its currency. */
  itemId?: string | null | undefined;
  amount?: string | null | undefined;
  currency?: string | null | undefined;
};

/** Customers at the counter choose a method immediately. After this time, staff start a new sale. */
const expiresInMinutes = 60;

/**
 * Creates the session of a sale at the counter. Throws the errors of `createSession` and `findCounterItem`.
 */
export async function createCounterSale(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    mode: Mode;
    sellerId: string;
    actor: string;
    input: CreateCounterSaleInput;
    now: MerchantTime;
  },
): Promise<CounterSale> {
  const { input, sellerId, ...rest } = options;
  const scope = { merchantId: rest.merchant.id, mode: rest.mode };
  const terms =
    input.itemId == null
      ? toTerms(input)
      : await toItemTerms(service, { ...scope, id: input.itemId, now: rest.now });
  const session = await createSession(service, { ...rest, sellerId, input: { ...terms, expiresInMinutes } });
  return getCounterSale(service, { ...scope, sellerId, id: session.id });
}

function toTerms({ amount, currency }: CreateCounterSaleInput) {
  if (amount == null) throw invalidInputError('/amount', 'is required, unless you set itemId');
  if (currency == null) throw invalidInputError('/currency', 'is required, unless you set itemId');
  return { amount, currency };
}

async function toItemTerms(
  service: Service,
  options: { merchantId: string; mode: Mode; id: string; now: Date },
) {
  const { name, money, methods } = await findCounterItem(service, options);
  const { currency } = money;
  const amount = toDecimal(money);
  return { amount, currency, methods, orders: [{ name, quantity: 1, amount }] };
}
