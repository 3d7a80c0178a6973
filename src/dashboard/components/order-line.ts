import { parseAmount, parseInteger, withFieldPath } from '../../kit/typed-number.ts';
import { fillText } from '../../language/fill-text.ts';
import { t } from '../language/texts.ts';

/** An order item as edited in a form. */
export type OrderLineFields = {
  key: number;
  id: string | null;
  name: string;
  quantity: string;
  amount: string;
};

export function createEmptyLine(key: number): OrderLineFields {
  return { key, id: null, name: '', quantity: '', amount: '' };
}

/** Returns the non-empty lines in API format. Throws `FieldInputError` with the path of the invalid field. */
export function parseOrderLines(lines: readonly OrderLineFields[], currency: string) {
  return lines.flatMap(({ id, name, quantity, amount }, i) => {
    if (!id && [name, quantity, amount].every((text) => text.trim() === '')) return [];
    return {
      ...(id !== null && { id }),
      ...(name.trim() && { name: name.trim() }),
      ...(quantity.trim() && { quantity: parseLineField(i, 'quantity', () => parseInteger(quantity)) }),
      ...(amount.trim() && { amount: parseLineField(i, 'amount', () => parseAmount(amount, currency)) }),
    };
  });
}

function parseLineField<Value>(i: number, field: string, read: () => Value): Value {
  return withFieldPath(`orders/${i}/${field}`, read, `${fillText(t.components.item, { number: i + 1 })} `);
}
