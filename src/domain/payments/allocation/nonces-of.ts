import { findNonces, foldReference } from '../../../method/nonce.ts';

/** The nonces that stand in a transfer's reference. */
export function noncesOf(transfer: { reference: string }): string[] {
  return findNonces(foldReference(transfer.reference));
}
