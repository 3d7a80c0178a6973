import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Money } from '../../../kit/money.ts';
import { type Language, languages } from '../../../language/languages.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../../method/catalog.ts';
import type { Service } from '../../platform/service.ts';
import { type AmountLimits, getWidestLimits } from './account-limits.ts';

/** The methods of one country and currency. `min` and `max` limit the amount of one payment. */
export type MethodEntry = {
  country: string;
  currency: string;
  methods: { method: MethodCode; min: Money; max: Money; name: string; icon: string }[];
};

/**
 * Returns the methods with an active account in this mode, grouped by country and currency. The limits of a method are
 * the widest of its accounts. Names are in `language`, by default English.
 */
export async function findMethodEntries(
  service: Service,
  { language, ...options }: MerchantScope & { language?: Language | null | undefined },
): Promise<MethodEntry[]> {
  const limits = await findLimits(service, options);
  const entries = Map.groupBy(
    methodCodes.filter((code) => limits.has(code)),
    (code) => `${paymentMethods[code].country} ${paymentMethods[code].currency}`,
  );
  return [...entries.values()].map((codes) => {
    const { country, currency } = paymentMethods[codes[0]!];
    const toMethod = (method: MethodCode) => ({
      method,
      ...limits.get(method)!,
      name: language ? languages[language].methods[method] : paymentMethods[method].name,
      icon: `${service.settings.publicUrl}${paymentMethods[method].icon}`,
    });
    return { country, currency, methods: codes.map(toMethod) };
  });
}

/** Returns the widest limits of each method with an active account. */
async function findLimits(service: Service, options: MerchantScope): Promise<Map<string, AmountLimits>> {
  const accounts = await service.prisma.receivingAccount.findMany({
    where: { ...options, status: 'active' },
    select: { method: true, currency: true, minAmount: true, maxAmount: true },
  });
  const groups = Map.groupBy(accounts, ({ method }) => method);
  return new Map(
    [...groups].map(([method, [first, ...others]]) => [method, getWidestLimits([first!, ...others])]),
  );
}
