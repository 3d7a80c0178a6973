import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type CsvMapping, checkCsvMapping } from '../../../statement/csv-mapping.ts';
import { getReceivingAccount } from '../../accounts/receiving-account/get-receiving-account.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';

export async function findStatementMapping(
  { prisma }: Db,
  receivingAccountId: string,
): Promise<CsvMapping | undefined> {
  const row = await prisma.statementMapping.findUnique({ where: { receivingAccountId } });
  return row ? checkCsvMapping(row.mapping) : undefined;
}

/**
 * Returns the given mapping or, if there is none, the mapping stored for the account, if any. Error:
 * `invalid_request` for an invalid mapping.
 */
export async function chooseMapping(
  db: Db,
  { mapping, receivingAccountId }: { mapping?: unknown; receivingAccountId: string },
): Promise<{ mapping: CsvMapping; mappingOrigin: 'provided' | 'saved' } | undefined> {
  if (mapping != null) return { mapping: checkCsvMapping(mapping), mappingOrigin: 'provided' };
  const storedMapping = await findStatementMapping(db, receivingAccountId);
  return storedMapping && { mapping: storedMapping, mappingOrigin: 'saved' };
}

/** Stores the mapping for future files. The caller must have checked that the account belongs to the merchant. */
export async function storeStatementMapping(
  tx: Tx,
  input: { receivingAccountId: string; mapping: CsvMapping; actor: string; now: Date },
): Promise<void> {
  const { receivingAccountId, mapping, actor, now } = input;
  const data = { mapping, updatedBy: actor, updatedAt: now };
  await tx.statementMapping.upsert({
    where: { receivingAccountId },
    create: { receivingAccountId, ...data },
    update: data,
  });
}

/**
 * Sets the CSV mapping for future files of an account; imported statements do not change. Errors:
 * `receiving_account_not_found`, `invalid_request`.
 */
export async function updateStatementMapping(
  db: Db,
  input: MerchantScope & Audited & { receivingAccountId: string; mapping: unknown; actor: string; now: Date },
): Promise<ReceivingAccount> {
  const mapping = checkCsvMapping(input.mapping);
  const { merchantId, mode, receivingAccountId: id, audit } = input;
  const account = await getReceivingAccount(db, { merchantId, mode, id });
  await transact(db, async (uow) => {
    await storeStatementMapping(uow.tx, { ...input, mapping });
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'statement_mapping.updated',
        objectId: id,
      });
  });
  return account;
}
