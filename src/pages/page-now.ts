import type { Merchant, Mode } from '../../prisma/client/client.ts';
import type { Context } from '../context.ts';
import { merchantNow } from '../domain/platform/clock/merchant-now.ts';
import type { MerchantTime } from '../kit/clock.ts';

/** Returns the merchant's time, which a test clock may have moved ahead in the sandbox. */
export function pageNow({ clock }: Context, scope: { merchant: Merchant; mode: Mode }): MerchantTime {
  return merchantNow(clock.now(), scope.merchant, scope.mode);
}
