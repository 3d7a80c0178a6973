import { getMinorPerMajor } from '../../../kit/currency.ts';
import type { Money } from '../../../kit/money.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import { createDestination, type Destination } from '../../../method/destination.ts';
import { getScheme, type ReceivingDetails } from '../../../method/schemes.ts';
import type { CheckoutCharge } from './get-checkout-charge.ts';

/** The instructions for paying the rest of a charge. */
export type OutstandingPayment = {
  destination: Destination;
  money: Money;
  referencePlacement: ReferencePlacement;
};

/** How the payment carries its reference: in the QR code, written by the customer, or possibly not at all. */
type ReferencePlacement = 'in-code' | 'written' | 'uncertain';

/**
 * Returns the remaining amount in the method's payable unit, with instructions for exactly that amount. With
 * a QR code for the full amount, a customer who has already paid a part would overpay.
 */
export function getOutstandingPayment(charge: CheckoutCharge): OutstandingPayment {
  const method = charge.method as MethodCode;
  const details = charge.receivingAccount.details as ReceivingDetails;
  const destination = charge.destination as Destination;
  const money = { minor: getOutstandingMinor(charge, method), currency: charge.customerCurrency };
  // The account's details may have changed after the creation of the charge; the instructions that the
  // customer received remain valid.
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
  const remainingMinor = charge.customerAmount - charge.amountReceived;
  if (remainingMinor <= 0n) return 0n;
  if (paymentMethods[method].payableUnit === 'minor') return remainingMinor;
  const unit = getMinorPerMajor(charge.customerCurrency);
  return ((remainingMinor + unit - 1n) / unit) * unit;
}
