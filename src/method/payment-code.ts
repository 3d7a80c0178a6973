import type { Money } from '../kit/money.ts';
import { type MethodCode, paymentMethods } from './catalogue.ts';
import { type EmvField, writeEmv } from './emv.ts';
import { codeAmount, demoName, type PaymentCodeInput } from './scheme.ts';

/** Currencies of methods that have such codes, by ISO 4217. */
const currencyNumbers: Readonly<Record<string, string>> = {
  HKD: '344',
  IDR: '360',
  MYR: '458',
  PHP: '608',
  SGD: '702',
  THB: '764',
  VND: '704',
};

/** How a code names the method's currency. */
export function currencyNumber(method: MethodCode): string {
  const { currency } = paymentMethods[method];
  const number = currencyNumbers[currency];
  if (number === undefined) throw new Error(`payment codes do not support ${currency}`);
  return number;
}

type PaymentCodeFields = {
  /** Left out: a static code, whose customer is asked for the amount. */
  amount?: Money;
  receiver: EmvField;
  /** Of merchants (ISO 18245). */
  category?: string;
  name?: string | undefined;
  city?: string;
  additional?: readonly EmvField[];
};

/** A code with what all schemes write alike, and what the scheme writes in its place. */
export function writePaymentCode(method: MethodCode, fields: PaymentCodeFields): string {
  const { amount, receiver, additional } = fields;
  const optionalField = (id: string, value: string | undefined): EmvField[] =>
    value === undefined ? [] : [[id, value]];
  return writeEmv([
    ['00', '01'],
    ['01', amount ? '12' : '11'],
    receiver,
    ...optionalField('52', fields.category),
    ['53', currencyNumber(method)],
    ...optionalField('54', amount && codeAmount(method, amount)),
    ['58', paymentMethods[method].country],
    ...optionalField('59', fields.name),
    ...optionalField('60', fields.city),
    ...(additional ? [['62', additional] as const] : []),
  ]);
}

/** For schemes whose codes name nobody, since the app asks for the holder's name: only a fictional account is named. */
export function demoNameOnly(payment: PaymentCodeInput): string | undefined {
  return payment.demo ? demoName : undefined;
}
