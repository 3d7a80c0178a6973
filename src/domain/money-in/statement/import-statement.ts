import type { ReceivingAccount, Statement, Upload } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { toCanonicalJson } from '../../../kit/canonical-json.ts';
import type { MachineTime } from '../../../kit/clock.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { invalidInput } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { CsvMapping } from '../../../statement/csv-mapping.ts';
import { getReceivingAccount } from '../../accounts/receiving-account/get-receiving-account.ts';
import { lockReceivingAccountRow } from '../../accounts/receiving-account/lock-receiving-account.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { getUpload } from '../../platform/upload/get-upload.ts';
import { readHead } from './read-head.ts';
import { chooseMapping, storeStatementMapping } from './statement-mapping.ts';

export type ImportInput = MerchantScope & {
  uploadId: string;
  receivingAccountId: string;
  /** For CSV: how to read it; kept for the account. Left out: as the account's files were read last. */
  mapping?: unknown;
  actor: string;
  /** The merchant's time, which dates the statement; in the sandbox that of its test clock. */
  now: Date;
  /** The machine's time, by which uploads expire. */
  machineNow: MachineTime;
};

export type ImportResult = {
  statement: Statement;
  /** This very file, read in this way, is imported to the account already, or being imported: nothing was done. */
  alreadyImported: boolean;
};

/**
 * Asks for the import of a file: keeps it for good and queues it for a worker. The same file again answers the first
 * import. Errors: `upload_not_found`, `receiving_account_not_found`, `invalid_request` for a mapping that is none or is
 * needed, `invalid_statement` for a file of no format we read.
 */
export async function importStatement(db: Db, input: ImportInput & Audited): Promise<ImportResult> {
  const { merchantId, mode, machineNow, audit } = input;
  const account = await getReceivingAccount(db, { merchantId, mode, id: input.receivingAccountId });
  const upload = await getUpload(db, { id: input.uploadId, merchantId, mode, at: machineNow });
  const { format } = await readHead(db, upload);
  const mapping = format === 'csv' ? await requireMapping(db, input) : undefined;
  return transact(db, async (uow) => {
    const { tx } = uow;
    // Two who import the same file at once: the second sees what the first has made.
    await lockReceivingAccountRow(tx, account);
    const mappingHash = mapping ? sha256(toCanonicalJson(mapping)) : '';
    const existing = await findExistingImport(tx, {
      receivingAccountId: account.id,
      fileHash: upload.sha256 ?? '',
      mappingHash,
    });
    if (!existing && mapping && input.mapping) await storeStatementMapping(tx, { ...input, mapping });
    const statement =
      existing ?? (await queueStatement(uow, input, { account, upload, mapping, mappingHash }));
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'statement.imported',
        objectId: statement.id,
      });
    return { statement, alreadyImported: existing !== null };
  });
}

type FileIdentity = Pick<Statement, 'receivingAccountId' | 'fileHash' | 'mappingHash'>;

/** The same file, read the same way, that did not fail. */
async function findExistingImport(
  tx: Tx,
  { receivingAccountId, fileHash, mappingHash }: FileIdentity,
): Promise<Statement | null> {
  // Prisma casts the status, and PostgreSQL would not use the index of files that did not fail.
  const [existing] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM statement WHERE receiving_account_id = ${receivingAccountId} AND file_hash = ${fileHash}
      AND mapping_hash = ${mappingHash} AND status <> 'failed'`;
  return existing ? tx.statement.findUnique({ where: { id: existing.id } }) : null;
}

async function requireMapping(db: Db, input: ImportInput): Promise<CsvMapping> {
  const choice = await chooseMapping(db, input);
  if (choice) return choice.mapping;
  throw invalidInput('/mapping', 'is required: no CSV file has been imported for this account before');
}

async function queueStatement(
  uow: UnitOfWork,
  { merchantId, mode, actor, now }: ImportInput,
  file: { account: ReceivingAccount; upload: Upload; mapping: CsvMapping | undefined; mappingHash: string },
): Promise<Statement> {
  const { account, upload, mapping, mappingHash } = file;
  await uow.tx.upload.update({ where: { id: upload.id }, data: { expiresAt: null } });
  const statement = await uow.tx.statement.create({
    data: {
      id: newId('statement', now),
      merchantId,
      mode,
      receivingAccountId: account.id,
      uploadId: upload.id,
      format: '',
      fileName: upload.fileName,
      fileHash: upload.sha256 ?? '',
      size: upload.size ?? 0n,
      ...(mapping && { mapping }),
      mappingHash,
      importedBy: actor,
      result: {},
      createdAt: now,
    },
  });
  announceChange(uow, { objectId: statement.id, merchantId, mode });
  return statement;
}
