import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { type Entry, entriesOf, whatMoved } from './read.ts';

// Read by hand from the files; see their README for origin and licence.

export const mt940File = (name: string) =>
  readFile(new URL(`../fixtures/statements/mt940/${name}`, import.meta.url));

/**
 * An entry in short: amount with sign, flags, and what else the file gives; the currency of the account is that of the
 * amount.
 */
const short = ({ direction, amount, reversal, returned, ...entry }: Entry) => {
  const { status, transactionCount, accountCurrency, ...rest } = entry;
  expect({ status, transactionCount, accountCurrency }).toEqual({
    status: 'booked',
    transactionCount: 1,
    accountCurrency: amount.currency,
  });
  const flags = [reversal ? 'reversal' : '', returned ? 'returned' : '']
    .filter((flag) => flag !== '')
    .join(' ');
  return { ...rest, amount: whatMoved({ direction, amount }), flags };
};

export const read = async (name: string) => (await entriesOf(await mt940File(name))).map(short);

/** One expected entry. */
export const entry = (
  line: number,
  amount: string,
  bookedOn: string,
  reference: string,
  more: Partial<ReturnType<typeof short>> = {},
) => ({ line, amount, bookedOn, valueOn: bookedOn, reference, flags: '', ...more });

export const within = (
  statement: { accountId: string; statementId: string },
  ...entries: ReturnType<typeof entry>[]
) => entries.map((one) => ({ ...one, ...statement }));
