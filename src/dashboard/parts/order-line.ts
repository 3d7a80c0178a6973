import { plainDecimal } from '../format/amount.ts';

/** A line of what is paid for, as it stands in a form. */
export type OrderLine = { key: number; id: string | null; name: string; quantity: string; amount: string };

export function emptyLine(key: number): OrderLine {
  return { key, id: null, name: '', quantity: '', amount: '' };
}

/** The lines that say something, as the API takes them. */
export function readOrders(lines: readonly OrderLine[]) {
  return lines
    .filter(({ id, name, quantity, amount }) => id || name.trim() || quantity.trim() || amount.trim())
    .map(({ id, name, quantity, amount }) => ({
      ...(id !== null && { id }),
      ...(name.trim() && { name: name.trim() }),
      ...(quantity.trim() && { quantity: Number(quantity) }),
      ...(amount.trim() && { amount: plainDecimal(amount) }),
    }));
}
