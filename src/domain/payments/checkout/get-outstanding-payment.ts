import type { Charge, ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Money } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { createDestination, type Destination } from '../../../method/destination.ts';
import { getScheme, type ReceivingDetails } from '../../../method/schemes.ts';
import { getOutstandingMoney } from '../charge/outstanding-money.ts';

type PayableCharge = Charge & { receivingAccount: ReceivingAccount };

/** The instructions for paying the rest of a charge. */
export type OutstandingPayment = {
  destination: Destination;
  money: Money;
  referencePlacement: ReferencePlacement;
};

/**
 * How the payment is identified:
 * - `in_code`: by the reference in the QR code
 * - `written`: by the reference that the customer enters
 * - `uncertain`: by its unique amount, because not every app has a field for the reference
 * - `by_merchant`: by the merchant, because neither a reference nor the amount identifies it
 */
type ReferencePlacement = 'in_code' | 'written' | 'uncertain' | 'by_merchant';

/**
 * Returns the remaining amount, rounded up to the method's payable unit, with instructions for exactly that
 * amount. With a QR code for the full amount, a customer who has already paid a part would overpay. The QR
 * code is empty if a part is paid and the account's number has changed since.
 */
export function getOutstandingPayment(charge: PayableCharge): OutstandingPayment {
  const method = charge.method as MethodCode;
  const details = charge.receivingAccount.details as ReceivingDetails;
  const destination = charge.destination as Destination;
  const money = getOutstandingMoney(charge);
  // The account's details may have changed after the creation of the charge; the instructions that the
  // customer received remain valid.
  const isSameAccount = getScheme(method).getAccount(details) === destination.account;
  const referencePlacement = getReferencePlacement(charge, {
    destination,
    canCarryReference: isSameAccount && getScheme(method).canCarryReference(details),
  });
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

function getReferencePlacement(
  { amountOffset, amountReceived }: PayableCharge,
  { destination, canCarryReference }: { destination: Destination; canCarryReference: boolean },
): ReferencePlacement {
  // The rest of a part payment is not a unique amount.
  if (!canCarryReference) return amountOffset !== null && amountReceived <= 0n ? 'uncertain' : 'by_merchant';
  return destination.qrCode === '' ? 'written' : 'in_code';
}
