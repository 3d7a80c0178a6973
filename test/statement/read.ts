import { expect } from 'vitest';
import { readStatement } from '../../src/statement/read-statement.ts';
import type { StatementEntry } from '../../src/statement/statement-entry.ts';
import { camtXml, ntry, toChunks } from '../setup/statement-files.ts';

/** Entries without their kind, which is the same for a whole file, and without the texts that only matching reads. */
export type Entry = Omit<StatementEntry, 'kind' | 'otherTexts'>;

export async function readAll(source: AsyncIterable<Uint8Array>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { kind: _kind, otherTexts: _texts, ...entry } of readStatement(source))
    entries.push(entry);
  return entries;
}

export function readEntries(content: string | Uint8Array): Promise<Entry[]> {
  return readAll(toChunks(content));
}

/** Returns the error of reading a file as `code: message`, or the number of entries if the file was read. */
export const catchReadErrorText = (content: string | Uint8Array) =>
  catchErrorText(() => readEntries(content));

/** Like `catchReadErrorText`, for another way to read. */
export async function catchErrorText(read: () => Promise<unknown[]>): Promise<string> {
  try {
    return `${(await read()).length} entries`;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code}: ${message}`;
  }
}

export async function readOnlyEntry(content: string | Uint8Array): Promise<Entry> {
  const entries = await readEntries(content);
  expect(entries).toHaveLength(1);
  return entries[0]!;
}

export const readEntry = (parts: Parameters<typeof ntry>[0]) => readOnlyEntry(camtXml(ntry(parts)));

export const invalidStatementText = (line: number, reason: string) =>
  `invalid_statement: line ${line}: ${reason}`;

/** Returns the booking time of an entry, as exact as in its file; empty if the file has none. */
export function whenBooked({ bookedAt, bookedAtLocal, bookedOn }: Entry): string {
  return bookedAt?.toISOString() ?? bookedAtLocal ?? bookedOn ?? '';
}

/** Returns the signed amount of an entry in minor units, such as `-4500 HKD`. */
export function whatMoved({ direction, amount }: Pick<Entry, 'direction' | 'amount'>): string {
  return `${direction === 'debit' ? '-' : ''}${amount.minor} ${amount.currency}`;
}
