import type { Merchant } from '../../../../prisma/client/client.ts';
import { insertRows } from '../../../kit/insert-rows.ts';
import { createSql } from '../../../kit/sql.ts';
import { withClient, withTransaction } from '../../../kit/with-client.ts';
import { type AuditContext, toAuditRow } from '../../platform/audit/record-audit.ts';
import { notifyProcesses } from '../../platform/secrets/data-keys.ts';
import { buildMerchantRows, findMerchantTables } from './merchant-rows.ts';
import { requireMoveStep } from './transition-merchant-move.ts';

type DiscardImportOptions = AuditContext & {
  merchantId: string;
  connectionString: string;
  onProgress: (line: string) => void;
};

/**
 * Deletes all rows of an imported merchant that was never activated, in one transaction, so that the merchant can be
 * imported again. Returns the number of deleted rows.
 */
export async function discardImport(options: DiscardImportOptions): Promise<number> {
  const { merchantId, actor, ipAddress, now, onProgress } = options;
  return withClient(options.connectionString, async (client) => {
    const rowCount = await withTransaction(client, async () => {
      const { rows } = await client.query<Pick<Merchant, 'id' | 'moveStatus'>>(
        'SELECT id, move_status AS "moveStatus" FROM merchant WHERE id = $1 FOR UPDATE',
        [merchantId],
      );
      if (!rows[0]) throw new Error(`The merchant ${merchantId} is not in this installation`);
      requireMoveStep(rows[0], ['imported']);
      const tables = (await findMerchantTables(client)).map(({ table }) => table).toReversed();
      // Deletes the merchant last, because triggers of tables without a foreign key read it.
      const ownedTables = [...tables.filter((table) => table !== 'merchant'), 'merchant'];
      let deletedCount = 0;
      for (const table of ownedTables) {
        const { rowCount } = await client.query(`DELETE ${buildMerchantRows(client, table, merchantId)}`);
        if (rowCount) onProgress(`${table}: ${rowCount} rows`);
        deletedCount += rowCount ?? 0;
      }
      for (const table of ['charge_count_delta', 'charge_count'])
        await client.query(`DELETE FROM ${table} WHERE merchant_id = $1`, [merchantId]);
      const entry = {
        actor,
        ipAddress,
        now,
        objectId: merchantId,
        action: 'merchant.import_discarded',
      } as const;
      await insertRows(createSql(client), 'audit_entry', [toAuditRow(entry)]);
      return deletedCount;
    });
    await notifyProcesses(client);
    return rowCount;
  });
}
