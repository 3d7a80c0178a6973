import { findPaymentReferences, foldReference } from '../../../method/payment-reference.ts';

/** The nonces that stand in a transfer's reference. */
export function getPaymentReferences(transfer: { reference: string }): string[] {
  return findPaymentReferences(foldReference(transfer.reference));
}
