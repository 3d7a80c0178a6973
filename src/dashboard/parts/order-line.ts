import { plainDecimal, plainWhole, readAs } from '../format/written-number.ts';

/** A line of what is paid for, as it stands in a form. */
export type OrderLine = { key: number; id: string | null; name: string; quantity: string; amount: string };

export function emptyLine(key: number): OrderLine {
  return { key, id: null, name: '', quantity: '', amount: '' };
}

/** The lines that say something, as the API takes them. Error: `Unclear`, of the line. */
export function readOrders(lines: readonly OrderLine[], currency: string) {
  return lines
    .filter(({ id, name, quantity, amount }) => id || name.trim() || quantity.trim() || amount.trim())
    .map(({ id, name, quantity, amount }, i) => ({
      ...(id !== null && { id }),
      ...(name.trim() && { name: name.trim() }),
      ...(quantity.trim() && { quantity: readAs(`orders/${i}/quantity`, () => plainWhole(quantity)) }),
      ...(amount.trim() && { amount: readAs(`orders/${i}/amount`, () => plainDecimal(amount, currency)) }),
    }));
}
