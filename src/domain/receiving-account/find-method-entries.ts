import type { Mode } from '../../../prisma/client/client.ts';
import type { Money } from '../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../method/catalogue.ts';
import type { Service } from '../service.ts';
import { findAvailableMethods } from './find-available-methods.ts';

/** The methods of one country, in one currency. `max` is the largest amount of one payment. */
export type MethodEntry = {
  country: string;
  currency: string;
  methods: { method: MethodCode; max: Money; name: string; icon: string }[];
};

/** The methods the merchant can receive on in this mode, grouped by country and currency. */
export async function findMethodEntries(
  service: Service,
  options: { merchantId: string; mode: Mode },
): Promise<MethodEntry[]> {
  const methods = await findAvailableMethods(service, options);
  const limits = await findLimits(service, options);
  const entries = Map.groupBy(
    methods,
    (code) => `${paymentMethods[code].country} ${paymentMethods[code].currency}`,
  );
  return [...entries.values()].map((codes) => {
    const { country, currency } = paymentMethods[codes[0]!];
    const toMethod = (method: MethodCode) => ({
      method,
      max: limits.get(method) ?? paymentMethods[method].max,
      name: paymentMethods[method].name,
      icon: `${service.settings.publicUrl}${paymentMethods[method].icon}`,
    });
    return { country, currency, methods: codes.map(toMethod) };
  });
}

/** The merchant's own limits: the widest of a method's accounts; none where one of them keeps to the default. */
async function findLimits(
  service: Service,
  options: { merchantId: string; mode: Mode },
): Promise<Map<string, Money>> {
  const accounts = await service.prisma.receivingAccount.findMany({
    where: { ...options, status: 'active' },
    select: { method: true, currency: true, maxAmount: true },
  });
  const limits = new Map<string, Money>();
  for (const [method, group] of Map.groupBy(accounts, (account) => account.method)) {
    const own = group.map((account) => account.maxAmount);
    const widest = own.reduce((a, b) => (a === null || b === null ? null : a > b ? a : b));
    if (widest !== null) limits.set(method, { minor: widest, currency: group[0]!.currency });
  }
  return limits;
}
