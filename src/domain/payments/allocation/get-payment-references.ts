import { findPaymentReferences, foldReference } from '../../../method/payment-reference.ts';

/** Returns the payment references found in a transfer's reference text. */
export function getPaymentReferences(transfer: { reference: string }): string[] {
  return findPaymentReferences(foldReference(transfer.reference));
}
