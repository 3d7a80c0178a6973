import { invalidInputError } from '../../../kit/errors.ts';

const transfersMax = 100;

/** Returns the IDs in the order in which operations lock transfers. Throws `invalid_request`. */
export function parseTransferIds(ids: readonly string[]): string[] {
  if (ids.length < 1 || ids.length > transfersMax)
    throw invalidInputError('/ids', `must have 1 to ${transfersMax} transfers`);
  if (new Set(ids).size < ids.length) throw invalidInputError('/ids', 'must not contain a transfer twice');
  return ids.toSorted();
}
