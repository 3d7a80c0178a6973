import { minorPerMajor } from '../../../kit/currency.ts';
import type { Money } from '../../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import { createDestination, type Destination } from '../../../method/destination.ts';
import { getScheme, type ReceivingDetails } from '../../../method/schemes.ts';
import type { CheckoutCharge } from './get-checkout-charge.ts';

/** How to pay what a charge still waits for. */
export type OutstandingPayment = {
  destination: Destination;
  money: Money;
  referencePlacement: ReferencePlacement;
};

/**
 * How the nonce travels: inside the code, written by the customer, or not for sure, as the method has no field for it.
 */
type ReferencePlacement = 'in-code' | 'written' | 'uncertain';

/**
 * What is left to pay, in the method's payable unit, with codes that ask for just that. A code with the whole amount
 * would make a customer who paid a part pay too much.
 */
export function getOutstandingPayment(charge: CheckoutCharge): OutstandingPayment {
  const method = charge.method as MethodCode;
  const details = charge.receivingAccount.details as ReceivingDetails;
  const destination = charge.destination as Destination;
  const money = { minor: getOutstandingMinor(charge, method), currency: charge.customerCurrency };
  // The account may have been given other details since; what the customer was told to pay into stays.
  const isSameAccount = getScheme(method).getAccount(details) === destination.account;
  const referencePlacement = getReferencePlacement(
    destination,
    isSameAccount && getScheme(method).carriesReference(details),
  );
  if (charge.amountReceived <= 0n) return { destination, money, referencePlacement };
  if (!isSameAccount) return { destination: { ...destination, qrCode: '' }, money, referencePlacement };
  const { accountName: holder, bank } = destination;
  const payment = { amount: money, paymentReference: destination.nonce, demo: charge.receivingAccount.demo };
  return {
    destination: createDestination({ method, details, holder, bank, ...payment }),
    money,
    referencePlacement,
  };
}

function getReferencePlacement(destination: Destination, carriesReference: boolean): ReferencePlacement {
  if (!carriesReference) return 'uncertain';
  return destination.qrCode === '' ? 'written' : 'in-code';
}

function getOutstandingMinor(charge: CheckoutCharge, method: MethodCode): bigint {
  const remaining = charge.customerAmount - charge.amountReceived;
  if (remaining <= 0n) return 0n;
  if (paymentMethods[method].payableUnit === 'minor') return remaining;
  const unit = minorPerMajor(charge.customerCurrency);
  return ((remaining + unit - 1n) / unit) * unit;
}
