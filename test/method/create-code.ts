import type { Money } from '../../src/kit/money.ts';
import { type MethodCode, paymentMethods } from '../../src/method/catalog.ts';
import { getScheme } from '../../src/method/schemes.ts';

export function toMoney(method: MethodCode, minor: bigint): Money {
  return { minor, currency: paymentMethods[method].currency };
}

/** Creates the payment code for the details of an account, as a merchant enters them. */
export function createCode(
  method: MethodCode,
  details: unknown,
  payment: { minor: bigint; nonce: string; holder?: string; demo?: boolean },
): string {
  const scheme = getScheme(method);
  return scheme.qrCode(scheme.parseDetails(details), {
    amount: toMoney(method, payment.minor),
    paymentReference: payment.nonce,
    holder: payment.holder ?? 'NA',
    demo: payment.demo ?? false,
  });
}
