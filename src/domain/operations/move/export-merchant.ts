import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createZstdCompress } from 'node:zlib';
import type pg from 'pg';
import { transact } from '../../../event/unit-of-work.ts';
import { copyOut } from '../../../kit/copy.ts';
import { exportSigningKeys } from '../../../kit/derived-keys.ts';
import { newSecret } from '../../../kit/id.ts';
import { type AppliedMigration, readAppliedMigrations } from '../../../kit/migrate.ts';
import { type DataKeys, sha256 } from '../../../kit/secrets.ts';
import { withClient } from '../../../kit/with-client.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import { readDataKeys, type SecretSources } from '../../platform/secrets/data-keys.ts';
import type { Service } from '../../platform/service.ts';
import { type BackupTable, copySettings, endOfRows } from '../backup/backup-file.ts';
import type { MoveStep } from './merchant-move-state.ts';
import {
  buildCopyOut,
  convertRows,
  createRowDecryption,
  createRowSummary,
  findMerchantTables,
  type TableSummary,
} from './merchant-rows.ts';
import { encryptFile } from './move-cipher.ts';
import { requireMoveStep } from './transition-merchant-move.ts';

/**
 * The first line of the encrypted part of a file. Tables follow as in a backup, with the plain text of
 * encrypted columns, then a line `{"end":{"merchant":{"rows":1,"digest":"…"},…}}`.
 */
export type MerchantFileHeader = {
  merchantId: string;
  name: string;
  createdAt: string;
  publicUrl: string;
  migrations: AppliedMigration[];
  /** SHA-256 of the code that activates the merchant. */
  codeHash: string;
  /** Rows from before these times may be missing. */
  watermarks: { name: string; prunedTo: string }[];
  /** The signing keys of each data key. */
  signingKeys: Record<string, Record<string, string>>;
};

export type MerchantFileEnd = { end: Record<string, TableSummary> };

type ExportMerchantOptions = AuditContext & {
  merchantId: string;
  file: string;
  /** A passphrase or a random key, which encrypts the file. */
  key: string;
  connectionString: string;
  sources: SecretSources;
  onProgress: (line: string) => void;
};

/** The rows of these merchants do not change. A moved one is exported again if the new installation was lost. */
const exportableSteps: readonly MoveStep[] = ['paused', 'moved'];

/**
 * Writes all rows of a merchant that is paused or has moved to a new, encrypted file. Returns a summary of each table.
 * An interrupted export leaves `FILE.partial`, never `FILE`.
 */
export async function exportMerchant(
  service: Service,
  options: ExportMerchantOptions,
): Promise<MerchantFileEnd['end']> {
  const { file, key, connectionString, sources } = options;
  if (existsSync(file)) throw new Error(`${file} already exists: choose a new file for the export`);
  const codeHash = await prepareExport(service, options);
  return withClient(connectionString, async (client) => {
    const dataKeys = await readDataKeys(client, sources);
    await waitForEarlierTransactions(client, options.onProgress);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(copySettings);
    const summaries: MerchantFileEnd['end'] = {};
    const source = { service, client, dataKeys, codeHash };
    await pipeline(
      generateFile(source, options, summaries),
      createZstdCompress(),
      (chunks) => encryptFile(chunks as AsyncIterable<Buffer>, key),
      createWriteStream(`${file}.partial`, { mode: 0o600, flush: true }),
    );
    await client.query('COMMIT');
    await rename(`${file}.partial`, file);
    return summaries;
  });
}

/** Creates the code of the move, unless an earlier export did, and returns its hash. */
async function prepareExport(service: Service, options: ExportMerchantOptions): Promise<string> {
  const { merchantId, actor, ipAddress, now } = options;
  return transact(service, async (uow) => {
    const merchant = await lockMerchant(uow.tx, merchantId, '/id');
    requireMoveStep(merchant, exportableSteps);
    const context = { actor, ipAddress, now, merchantId, objectId: merchantId };
    await recordAudit(uow, { ...context, action: 'merchant.exported' });
    if (merchant.moveCodeHash !== null) return merchant.moveCodeHash;
    // With the prefix, no shell command mistakes a code for an option.
    const code = newSecret('move');
    const moveCodeHash = sha256(code);
    const moveCodeEncrypted = service.secrets.encrypt(code, 'merchant.move_code_encrypted', merchantId);
    await uow.tx.merchant.update({ where: { id: merchantId }, data: { moveCodeHash, moveCodeEncrypted } });
    return moveCodeHash;
  });
}

const pollMs = 200;

/**
 * Waits for all transactions that may have changed a row before the merchant was paused. The triggers reject the
 * changes of later transactions.
 */
async function waitForEarlierTransactions(
  client: pg.Client,
  onProgress: (line: string) => void,
): Promise<void> {
  const { rows } = await client.query('SELECT pg_snapshot_xmax(pg_current_snapshot()) AS limit');
  for (let rounds = 0; ; rounds++) {
    const { rows: answers } = await client.query(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS "isOver"',
      [rows[0]!.limit],
    );
    if (answers[0]!.isOver) return;
    if (rounds === 10) onProgress('Waiting for transactions that began before the merchant was paused');
    await delay(pollMs);
  }
}

type MerchantSource = { service: Service; client: pg.Client; dataKeys: DataKeys; codeHash: string };

async function* generateFile(
  { service, client, dataKeys, codeHash }: MerchantSource,
  { merchantId, now, onProgress }: ExportMerchantOptions,
  summaries: MerchantFileEnd['end'],
): AsyncGenerator<string | Buffer> {
  const header: MerchantFileHeader = {
    merchantId,
    ...(await readMerchant(client, merchantId)),
    createdAt: now.toISOString(),
    publicUrl: service.settings.publicUrl,
    migrations: await readAppliedMigrations(client),
    codeHash,
    watermarks: await readWatermarks(client),
    signingKeys: Object.fromEntries(
      [dataKeys.current, ...dataKeys.others].map((dataKey) => [dataKey.id, exportSigningKeys(dataKey)]),
    ),
  };
  yield `${JSON.stringify(header)}\n`;
  for (const table of await findMerchantTables(client)) {
    yield `${JSON.stringify(table satisfies BackupTable)}\n`;
    const summary = createRowSummary();
    const rows = copyOut(client, buildCopyOut(client, table, merchantId), () => {});
    const cipher = createRowDecryption(service.secrets, table);
    yield* convertRows(rows, { cipher, digests: 'converted', summary });
    yield endOfRows;
    const result = summary.finish();
    summaries[table.table] = result;
    if (result.rows > 0) onProgress(`${table.table}: ${result.rows} rows`);
  }
  yield `${JSON.stringify({ end: summaries } satisfies MerchantFileEnd)}\n`;
}

/** Throws if the merchant was resumed since the export began. */
async function readMerchant(client: pg.Client, merchantId: string): Promise<{ name: string }> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM merchant WHERE id = $1 AND move_status = ANY ($2::merchant_move_status[])',
    [merchantId, exportableSteps],
  );
  if (!rows[0]) throw new Error(`The merchant ${merchantId} is no longer paused, and has not moved`);
  return rows[0];
}

async function readWatermarks(client: pg.Client): Promise<MerchantFileHeader['watermarks']> {
  const { rows } = await client.query<{ name: string; prunedTo: Date }>(
    'SELECT name, pruned_to AS "prunedTo" FROM retention_watermark',
  );
  return rows.map(({ name, prunedTo }) => ({ name, prunedTo: prunedTo.toISOString() }));
}
