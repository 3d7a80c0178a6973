import type { Money } from '../kit/money.ts';
import { type MethodCode, paymentMethods } from './catalog.ts';
import { type EmvField, writeEmv } from './emv.ts';
import { demoName, formatCodeAmount, type PaymentCodeInput } from './scheme.ts';

/** ISO 4217 numbers of the currencies of methods with EMV codes. */
const currencyNumbers: Readonly<Record<string, string>> = {
  HKD: '344',
  IDR: '360',
  MYR: '458',
  PHP: '608',
  SGD: '702',
  THB: '764',
  VND: '704',
};

export function getCurrencyNumber(method: MethodCode): string {
  const { currency } = paymentMethods[method];
  const number = currencyNumbers[currency];
  if (number === undefined) throw new Error(`payment codes do not support ${currency}`);
  return number;
}

type PaymentCodeFields = {
  /** Without an amount, the code is static and the app asks the customer for the amount. */
  amount?: Money;
  receiver: EmvField;
  /** Merchant category code (ISO 18245). */
  category?: string;
  name?: string | undefined;
  city?: string;
  additional?: readonly EmvField[];
};

/** Returns a code with `fields` and the fields that all schemes have in common. */
export function writePaymentCode(method: MethodCode, fields: PaymentCodeFields): string {
  const { amount, receiver, additional } = fields;
  const optionalField = (id: string, value: string | undefined): EmvField[] =>
    value === undefined ? [] : [[id, value]];
  return writeEmv([
    ['00', '01'],
    ['01', amount ? '12' : '11'],
    receiver,
    ...optionalField('52', fields.category),
    ['53', getCurrencyNumber(method)],
    ...optionalField('54', amount && formatCodeAmount(method, amount)),
    ['58', paymentMethods[method].country],
    ...optionalField('59', fields.name),
    ...optionalField('60', fields.city),
    ...(additional ? [['62', additional] as const] : []),
  ]);
}

/** Returns the name field for schemes whose apps look up the holder's name: only demo codes contain a name. */
export function toDemoName(payment: PaymentCodeInput): string | undefined {
  return payment.demo ? demoName : undefined;
}
