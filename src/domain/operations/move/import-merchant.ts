import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { copyIn, copyOut } from '../../../kit/copy.ts';
import { insertRows } from '../../../kit/insert-rows.ts';
import { type AppliedMigration, readAppliedMigrations } from '../../../kit/migrate.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import { createSql } from '../../../kit/sql.ts';
import { sqlStates } from '../../../kit/sql-state.ts';
import { withClient, withTransaction } from '../../../kit/with-client.ts';
import { type AuditContext, toAuditRow } from '../../platform/audit/record-audit.ts';
import { notifyProcesses } from '../../platform/secrets/data-keys.ts';
import type { Service } from '../../platform/service.ts';
import { type BackupTable, copySettings, quoteColumns } from '../backup/backup-file.ts';
import { type BackupReader, createBackupReader } from '../backup/read-backup.ts';
import { tableOwners } from '../backup/table-owners.ts';
import type { MerchantFileEnd, MerchantFileHeader } from './export-merchant.ts';
import {
  buildCopyOut,
  convertRows,
  createRowDecryption,
  createRowEncryption,
  createRowSummary,
  type TableSummary,
} from './merchant-rows.ts';
import { damagedFileError, decryptFile } from './move-cipher.ts';

type ImportMerchantOptions = AuditContext & {
  file: string;
  key: string;
  connectionString: string;
  onProgress: (line: string) => void;
};

type ImportedMerchant = {
  merchantId: string;
  name: string;
  /** The address of the installation that exported the merchant. */
  publicUrl: string;
  tables: MerchantFileEnd['end'];
};

/**
 * Inserts a merchant from a file, in one transaction, re-encrypted with the data key of this installation. Then reads
 * every row again and compares it with the file. The merchant does not run until it is activated. After an error or an
 * interruption, nothing was imported.
 */
export async function importMerchant(
  { secrets }: Pick<Service, 'secrets'>,
  options: ImportMerchantOptions,
): Promise<ImportedMerchant> {
  const reader = createBackupReader(openFile(options), damagedFileError);
  const header = JSON.parse(await reader.readLine()) as MerchantFileHeader;
  return withClient(options.connectionString, async (client) => {
    requireSameSchema(header, await readAppliedMigrations(client));
    const imported = await withTransaction(client, () =>
      importRows({ client, secrets, reader, header }, options),
    ).catch((error) => {
      throw toConflictError(error, header) ?? error;
    });
    await notifyProcesses(client);
    return imported;
  });
}

async function* openFile({ file, key }: ImportMerchantOptions): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(
      createReadStream(file),
      (chunks) => decryptFile(chunks as AsyncIterable<Buffer>, key),
      createZstdDecompress(),
      () => {},
    ) as AsyncIterable<Buffer>;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('ZSTD_') ? damagedFileError() : error;
  }
}

function requireSameSchema({ migrations }: MerchantFileHeader, applied: AppliedMigration[]): void {
  if (isDeepStrictEqual(migrations, applied)) return;
  const newest = (list: AppliedMigration[]) => list.at(-1)?.name ?? 'none';
  throw new Error(
    `The schema of the file (${newest(migrations)}) differs from that of this database (${newest(applied)}): use the same version of Causeway in both installations`,
  );
}

type MerchantFile = {
  client: pg.Client;
  secrets: Secrets;
  reader: BackupReader;
  header: MerchantFileHeader;
};

async function importRows(
  { client, secrets, reader, header }: MerchantFile,
  options: ImportMerchantOptions,
): Promise<ImportedMerchant> {
  const { merchantId, name, publicUrl } = header;
  await client.query(copySettings);
  const known = await client.query('SELECT 1 FROM merchant WHERE id = $1', [merchantId]);
  if (known.rows.length > 0)
    throw new Error(`The merchant ${merchantId} (${name}) already exists in this installation`);
  const tables: BackupTable[] = [];
  const read: Record<string, TableSummary> = {};
  for (;;) {
    const part = JSON.parse(await reader.readLine()) as BackupTable | MerchantFileEnd;
    if ('end' in part) {
      if (!isDeepStrictEqual(part.end, read)) throw damagedFileError();
      break;
    }
    if (typeof tableOwners[part.table] !== 'object') throw damagedFileError();
    const summary = createRowSummary();
    const cipher = createRowEncryption(secrets, part);
    const rows = convertRows(reader.readRows(), { cipher, digests: 'read', summary });
    await copyIn(client, `COPY ${quoteColumns(part)} FROM STDIN`, rows);
    read[part.table] = summary.finish();
    tables.push(part);
    if (read[part.table]!.rows > 0) options.onProgress(`${part.table}: ${read[part.table]!.rows} rows`);
  }
  for (const table of tables) await requireEqualRows({ client, secrets, merchantId, table }, read);
  options.onProgress('Every row was read again and is equal');
  await finishImport({ client, secrets, header }, options);
  return { merchantId, name, publicUrl, tables: read };
}

/** Reads the inserted rows of a table again. Throws if they differ from those of the file. */
async function requireEqualRows(
  target: { client: pg.Client; secrets: Secrets; merchantId: string; table: BackupTable },
  expected: Record<string, TableSummary>,
): Promise<void> {
  const { client, secrets, merchantId, table } = target;
  const summary = createRowSummary();
  const rows = copyOut(client, buildCopyOut(client, table, merchantId), () => {});
  const cipher = createRowDecryption(secrets, table);
  for await (const _ of convertRows(rows, { cipher, digests: 'converted', summary }));
  if (!isDeepStrictEqual(summary.finish(), expected[table.table]))
    throw new Error(`The imported rows of ${table.table} differ from those of the file`);
}

async function finishImport(
  { client, secrets, header }: Omit<MerchantFile, 'reader'>,
  { actor, ipAddress, now }: ImportMerchantOptions,
): Promise<void> {
  const { merchantId, codeHash, publicUrl, createdAt } = header;
  for (const [id, keys] of Object.entries(header.signingKeys))
    await client.query(
      `INSERT INTO imported_signing_key (merchant_id, id, keys_encrypted, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [
        merchantId,
        id,
        secrets.encrypt(JSON.stringify(keys), 'imported_signing_key.keys_encrypted', [merchantId, id]),
        now,
      ],
    );
  // This installation also lacks the rows that the other one deleted after their retention period.
  for (const { name, prunedTo } of header.watermarks)
    await client.query(
      `INSERT INTO retention_watermark (name, pruned_to) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET pruned_to = greatest(retention_watermark.pruned_to, excluded.pruned_to)`,
      [name, prunedTo],
    );
  const detail = { from: publicUrl, exportedAt: createdAt };
  const entry = { actor, ipAddress, now, merchantId, objectId: merchantId, detail };
  await insertRows(createSql(client), 'audit_entry', [toAuditRow({ ...entry, action: 'merchant.imported' })]);
  await client.query(`UPDATE merchant SET move_status = 'imported', move_code_hash = $2 WHERE id = $1`, [
    merchantId,
    codeHash,
  ]);
}

/** Returns the error for operators if a row of the merchant has a value that must be unique in an installation. */
function toConflictError(error: unknown, { name }: MerchantFileHeader): Error | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== sqlStates.uniqueViolation) return undefined;
  return new Error(
    `${name} cannot be imported, because this installation already has a row of ${error.table} with the same value: ${error.detail}. Nothing was imported`,
    { cause: error },
  );
}
