import { plainDecimal, plainWhole, readAs } from '../format/written-number.ts';

/** A line of what is paid for, as it stands in a form. */
export type OrderLine = { key: number; id: string | null; name: string; quantity: string; amount: string };

export function emptyLine(key: number): OrderLine {
  return { key, id: null, name: '', quantity: '', amount: '' };
}

/** The lines that say something, as the API takes them. Error: `Unclear`, of the line. */
export function readOrders(lines: readonly OrderLine[], currency: string) {
  return lines.flatMap(({ id, name, quantity, amount }, i) => {
    if (!id && [name, quantity, amount].every((text) => text.trim() === '')) return [];
    return {
      ...(id !== null && { id }),
      ...(name.trim() && { name: name.trim() }),
      ...(quantity.trim() && { quantity: readIn(i, 'quantity', () => plainWhole(quantity)) }),
      ...(amount.trim() && { amount: readIn(i, 'amount', () => plainDecimal(amount, currency)) }),
    };
  });
}

function readIn<Value>(i: number, part: string, read: () => Value): Value {
  return readAs(`orders/${i}/${part}`, read, `Item ${i + 1}: `);
}
