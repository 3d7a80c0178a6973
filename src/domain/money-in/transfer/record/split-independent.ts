import { getPaymentReferences } from '../../../payments/allocation/get-payment-references.ts';
import type { TransferInput } from './draft-transfer.ts';

/**
 * Splits inputs, in order, into groups that can be decided together, because no two inputs of a group share a
 * bank reference or payment reference.
 */
export function splitIndependent(inputs: readonly TransferInput[]): TransferInput[][] {
  const groups: TransferInput[][] = [];
  let keys = new Set<string>();
  for (const input of inputs) {
    const inputKeys = [`${input.source} ${input.bankReference}`, ...getPaymentReferences(input)];
    const group = groups.at(-1);
    if (group && !inputKeys.some((key) => keys.has(key))) {
      group.push(input);
    } else {
      groups.push([input]);
      keys = new Set();
    }
    for (const key of inputKeys) keys.add(key);
  }
  return groups;
}
