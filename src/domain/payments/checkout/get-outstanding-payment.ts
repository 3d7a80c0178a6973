import { minorPerMajor } from '../../../kit/currency.ts';
import type { Money } from '../../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import { createDestination, type Destination } from '../../../method/destination.ts';
import { getScheme, type ReceivingDetails } from '../../../method/schemes.ts';
import type { CheckoutCharge } from './get-checkout-charge.ts';

/** The instructions for paying the rest of a charge. */
export type OutstandingPayment = {
  destination: Destination;
  money: Money;
  referencePlacement: ReferencePlacement;
};

/** How the payment carries its reference: in the code, typed by the customer, or possibly not at all. */
type ReferencePlacement = 'in-code' | 'written' | 'uncertain';

/**
 * Returns the remaining amount in the method's payable unit, with instructions for exactly that amount. A
 * code for the full amount would make a customer who paid a part overpay.
 */
export function getOutstandingPayment(charge: CheckoutCharge): OutstandingPayment {
  const method = charge.method as MethodCode;
  const details = charge.receivingAccount.details as ReceivingDetails;
  const destination = charge.destination as Destination;
  const money = { minor: getOutstandingMinor(charge, method), currency: charge.customerCurrency };
  // The account's details may have changed since; the instructions that the customer received remain valid.
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
