import { findSimilarReferences } from '../../../method/find-similar-references.ts';
import { findPaymentReferences, foldReference } from '../../../method/payment-reference.ts';

export function getPaymentReferences(transfer: { reference: string }): string[] {
  return findPaymentReferences(foldReference(transfer.reference));
}

/** Returns the payment references that the payer may have meant if a transfer's reference text has a typing error. */
export function getSimilarReferences(transfer: { reference: string }): string[] {
  return findSimilarReferences(foldReference(transfer.reference));
}
