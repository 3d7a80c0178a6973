import { minorPerMajor } from '../../../kit/currency.ts';
import type { Money } from '../../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import { type Destination, makeDestination } from '../../../method/destination.ts';
import { type ReceivingDetails, schemeOf } from '../../../method/schemes.ts';
import type { CheckoutCharge } from './get-checkout-charge.ts';

/** How to pay what a charge still waits for. */
export type OutstandingPayment = {
  destination: Destination;
  money: Money;
  nonce: NonceCarriage;
};

/**
 * How the nonce travels: inside the code, written by the customer, or not for sure, as the method has no field for it.
 */
type NonceCarriage = 'in-code' | 'written' | 'uncertain';

/**
 * What is left to pay, in the method's payable unit, with codes that ask for just that. A code with the whole amount
 * would make a customer who paid a part pay too much.
 */
export function outstandingPayment(charge: CheckoutCharge): OutstandingPayment {
  const method = charge.method as MethodCode;
  const details = charge.receivingAccount.details as ReceivingDetails;
  const destination = charge.destination as Destination;
  const money = { minor: outstandingMinor(charge, method), currency: charge.customerCurrency };
  // The account may have been given other details since; what the customer was told to pay into stays.
  const isSameAccount = schemeOf(method).accountOf(details) === destination.account;
  const nonce = carriage(destination, isSameAccount && schemeOf(method).carriesReference(details));
  if (charge.amountReceived <= 0n) return { destination, money, nonce };
  if (!isSameAccount) return { destination: { ...destination, qrCode: '' }, money, nonce };
  const { accountName: holder, bank } = destination;
  const payment = { amount: money, nonce: destination.nonce, demo: charge.receivingAccount.demo };
  return { destination: makeDestination({ method, details, holder, bank, ...payment }), money, nonce };
}

function carriage(destination: Destination, carriesReference: boolean): NonceCarriage {
  if (!carriesReference) return 'uncertain';
  return destination.qrCode === '' ? 'written' : 'in-code';
}

function outstandingMinor(charge: CheckoutCharge, method: MethodCode): bigint {
  const left = charge.customerAmount - charge.amountReceived;
  if (left <= 0n) return 0n;
  if (paymentMethods[method].payableUnit === 'minor') return left;
  const unit = minorPerMajor(charge.customerCurrency);
  return ((left + unit - 1n) / unit) * unit;
}
