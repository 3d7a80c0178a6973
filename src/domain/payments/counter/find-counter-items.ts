import { type CheckoutLink, Prisma } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Money } from '../../../kit/money.ts';

/**
 * A saved item of the counter: an active checkout link with a name and a fixed amount that is for any customer, and
 * therefore has no maximum number of payments and no customer details.
 */
export type CounterItem = { id: string; name: string; money: Money; methods: string[] };

const itemsMax = 100;

/** Returns at most 100 saved items, ordered by name. */
export async function findCounterItems(
  { prisma }: Pick<Db, 'prisma'>,
  { now, ...scope }: MerchantScope & { now: Date },
): Promise<CounterItem[]> {
  const links = await prisma.checkoutLink.findMany({
    where: { ...scope, ...activeItem(now) },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: itemsMax,
  });
  return links.map(toItem);
}

/** Returns a saved item. Throws `checkout_link_not_found` if it is not active. */
export async function findCounterItem(
  { prisma }: Pick<Db, 'prisma'>,
  { now, ...scopedId }: MerchantScope & { id: string; now: Date },
): Promise<CounterItem> {
  const link = await prisma.checkoutLink.findFirst({ where: { ...scopedId, ...activeItem(now) } });
  if (!link) throw new DomainError('checkout_link_not_found', `Item not found: ${scopedId.id}`);
  return toItem(link);
}

function activeItem(now: Date) {
  return {
    name: { not: '' },
    amount: { not: null },
    usageLimit: null,
    customer: { equals: Prisma.AnyNull },
    closedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
}

function toItem({ id, name, amount, currency, paymentMethods }: CheckoutLink): CounterItem {
  return {
    id,
    name,
    money: { minor: amount ?? 0n, currency },
    methods: (paymentMethods as string[] | null) ?? [],
  };
}
