import type { Charge, Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError, invalidInput } from '../../kit/errors.ts';
import { parseMoney, toDecimal } from '../../kit/money.ts';
import type { Owner } from '../../kit/owner.ts';
import { lockCharge } from '../charge/lock-charge.ts';
import { amountOpen } from './lock-transfer.ts';

/** For which charge, and how much in major units; left out of one part: all that is left. */
export type AssignmentPart = { chargeId: string; amount?: number | string | null | undefined };

const partsMax = 50;

/** Error: `invalid_request` unless there are some, each of another charge, and all but one say how much. */
export function checkParts(parts: readonly AssignmentPart[]): void {
  if (parts.length < 1 || parts.length > partsMax)
    throw invalidInput('/parts', `must name 1 to ${partsMax} charges`);
  if (new Set(parts.map(({ chargeId }) => chargeId)).size < parts.length)
    throw invalidInput('/parts', 'must name each charge once');
  if (parts.filter(({ amount }) => amount == null).length > 1)
    throw invalidInput('/parts', 'must say how much of all but one');
}

/** In the order of ids, as everywhere. Error: `charge_not_found`. */
export async function lockCharges(
  tx: Tx,
  owner: Owner,
  parts: readonly AssignmentPart[],
): Promise<Map<string, Charge>> {
  const charges = new Map<string, Charge>();
  for (const id of parts.map(({ chargeId }) => chargeId).sort())
    charges.set(id, await lockCharge(tx, { ...owner, id }));
  return charges;
}

/**
 * What of a transfer is to count for which charge. Errors: `amount_out_of_range` when that is more than is open,
 * `currency_unsupported` when a charge asks another currency.
 */
export function readParts(
  transfer: Transfer,
  parts: readonly AssignmentPart[],
  charges: ReadonlyMap<string, Charge>,
): { charge: Charge; amount: bigint }[] {
  const { currency } = transfer;
  const open = amountOpen(transfer);
  const said = parts.map(({ amount }, i) =>
    amount == null ? null : parseMoney(amount, currency, `/parts/${i}/amount`).minor,
  );
  const rest = said.reduce<bigint>((left, amount) => left - (amount ?? 0n), open);
  if (rest < 0n || (rest === 0n && said.includes(null))) {
    const left = `${toDecimal({ minor: open, currency })} ${currency}`;
    throw new DomainError('amount_out_of_range', `Only ${left} of the transfer ${transfer.id} is open`);
  }
  return parts.map(({ chargeId }, i) => {
    const charge = charges.get(chargeId) as Charge;
    if (charge.customerCurrency !== currency) {
      const detail = `The charge ${charge.id} asks ${charge.customerCurrency}, the transfer is in ${currency}`;
      throw new DomainError('currency_unsupported', detail);
    }
    return { charge, amount: said[i] ?? rest };
  });
}
