import { hash } from 'node:crypto';
import type pg from 'pg';
import { type EncryptedColumn, encryptedColumns, type RowKey, type Secrets } from '../../../kit/secrets.ts';
import { type BackupTable, quoteName } from '../backup/backup-file.ts';
import { findTables } from '../backup/find-tables.ts';
import { tableOwners } from '../backup/table-owners.ts';

/** The number of rows of a table, and a digest that does not depend on their order. */
export type TableSummary = { rows: number; digest: string };

/** Returns the tables with rows of merchants, referenced tables first, without columns that do not move. */
export async function findMerchantTables(client: pg.Client): Promise<BackupTable[]> {
  const tables = await findTables(client);
  return tables.flatMap(({ table, columns }) => {
    const owner = tableOwners[table];
    if (owner === undefined) throw new Error(`No owner is known for the table ${table}`);
    if (typeof owner === 'string') return [];
    const omittedColumns = ('merchantColumn' in owner && owner.omittedColumns) || [];
    return { table, columns: columns.filter((column) => !omittedColumns.includes(column)) };
  });
}

export function buildCopyOut(client: pg.Client, { table, columns }: BackupTable, merchantId: string): string {
  const rows = buildMerchantRows(client, table, merchantId);
  return `COPY (SELECT ${columns.map(quoteName).join(', ')} ${rows}) TO STDOUT`;
}

/** Returns `FROM … WHERE …` for the merchant's rows of a table. */
export function buildMerchantRows(client: pg.Client, table: string, merchantId: string): string {
  const owner = tableOwners[table];
  if (owner === undefined || typeof owner === 'string') throw new Error(`${table} has no rows of merchants`);
  const id = client.escapeLiteral(merchantId);
  const condition =
    'merchantColumn' in owner
      ? `${quoteName(owner.merchantColumn)} = ${id}`
      : `${quoteName(owner.parentColumn)} IN (SELECT id FROM ${quoteName(owner.parentTable)} WHERE merchant_id = ${id})`;
  return `FROM ${quoteName(table)} WHERE ${condition}`;
}

/** Rewrites the values of encrypted columns in rows in the text format of COPY. */
type RowCipher = (line: Buffer) => Promise<Buffer>;

/** Returns a function that decrypts the rows of a table, or undefined if the table has no encrypted column. */
export function createRowDecryption(secrets: Secrets, table: BackupTable): RowCipher | undefined {
  return createRowCipher(table, (value, column, row) => secrets.decrypt(value, column, row));
}

/** The opposite of {@link createRowDecryption}. */
export function createRowEncryption(secrets: Secrets, table: BackupTable): RowCipher | undefined {
  return createRowCipher(table, async (value, column, row) => secrets.encrypt(value, column, row));
}

function createRowCipher(
  { table, columns }: BackupTable,
  convert: (value: string, column: EncryptedColumn, row: RowKey<EncryptedColumn>) => Promise<string>,
): RowCipher | undefined {
  const cells = (Object.keys(encryptedColumns) as EncryptedColumn[]).flatMap((name) => {
    const index = columns.indexOf(name.slice(table.length + 1));
    if (!name.startsWith(`${table}.`) || index === -1) return [];
    return { name, index, keyIndexes: encryptedColumns[name].map((column) => columns.indexOf(column)) };
  });
  if (cells.length === 0) return undefined;
  return async (line) => {
    const values = line.toString('utf8').split('\t');
    for (const { name, index, keyIndexes } of cells) {
      const value = values[index]!;
      if (value === nullText) continue;
      const keys = keyIndexes.map((i) => unescapeText(values[i]!));
      const rowKey = (keys.length === 1 ? keys[0] : keys) as RowKey<EncryptedColumn>;
      values[index] = escapeText(await convert(unescapeText(value), name, rowKey));
    }
    return Buffer.from(values.join('\t'), 'utf8');
  };
}

/** NULL in the text format of COPY. */
const nullText = '\\N';
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const characters: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function escapeText(text: string): string {
  return text.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character]!);
}

function unescapeText(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, character: string) => characters[character] ?? character);
}

const lineBreak = 0x0a;

/**
 * Yields the rows, converted by `cipher`, in chunks. Adds each row in plain text to the summary: after the
 * conversion if `digests` is `converted`, before it otherwise.
 */
export async function* convertRows(
  chunks: AsyncIterable<Buffer>,
  options: { cipher: RowCipher | undefined; digests: 'read' | 'converted'; summary: RowSummary },
): AsyncGenerator<Buffer> {
  const { cipher, digests, summary } = options;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const converted: Buffer[] = [];
    let start = 0;
    for (let end = data.indexOf(lineBreak); end !== -1; end = data.indexOf(lineBreak, start)) {
      const line = data.subarray(start, end);
      const newLine = cipher ? await cipher(line) : line;
      if (cipher) converted.push(newLine, newLineBytes);
      summary.add(digests === 'read' ? line : newLine);
      start = end + 1;
    }
    rest = data.subarray(start);
    yield cipher ? Buffer.concat(converted) : data.subarray(0, start);
  }
}

const newLineBytes = Buffer.from('\n');

type RowSummary = { add: (line: Buffer) => void; finish: () => TableSummary };

/** Sums the SHA-256 of the rows, in eight numbers of 32 bits, so that their order does not matter. */
export function createRowSummary(): RowSummary {
  const sums = new Uint32Array(8);
  let rows = 0;
  return {
    add(line) {
      const digest = hash('sha256', line, 'buffer');
      for (let i = 0; i < 8; i++) sums[i]! += digest.readUInt32LE(4 * i);
      rows++;
    },
    finish: () => ({ rows, digest: Buffer.from(sums.buffer).toString('hex') }),
  };
}
