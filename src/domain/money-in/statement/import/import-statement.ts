import type { ReceivingAccount, Statement, Upload } from '../../../../../prisma/client/client.ts';
import { announceChange } from '../../../../event/announce-change.ts';
import { transact, type UnitOfWork } from '../../../../event/unit-of-work.ts';
import { toCanonicalJson } from '../../../../kit/canonical-json.ts';
import type { SystemTime } from '../../../../kit/clock.ts';
import type { Db, Tx } from '../../../../kit/db.ts';
import { invalidInputError } from '../../../../kit/errors.ts';
import { newId } from '../../../../kit/id.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { sha256 } from '../../../../kit/secrets.ts';
import type { CsvMapping } from '../../../../statement/csv-mapping.ts';
import { lockSharedIds } from '../../../accounts/receiving-account/bank-account.ts';
import { getReceivingAccount } from '../../../accounts/receiving-account/get-receiving-account.ts';
import { type Audited, recordAudit } from '../../../platform/audit/record-audit.ts';
import { getUpload } from '../../../platform/upload/read-upload.ts';
import { readFormat } from '../read-format.ts';
import { chooseMapping, storeStatementMapping } from '../statement-mapping.ts';

type ImportInput = MerchantScope & {
  uploadId: string;
  receivingAccountId: string;
  /**
   * The CSV mapping, which is then stored for the account. Defaults to the mapping stored for the account.
   */
  mapping?: unknown;
  /** The account in the file whose entries are recorded. Only a file with several accounts needs it. */
  fileAccount?: string | null | undefined;
  actor: string;
  /** The merchant's time, which applies to the statement; in the sandbox, the time of its test clock. */
  now: Date;
  /** The system time, at which uploads expire. */
  systemNow: SystemTime;
};

export type ImportResult = {
  statement: Statement;
  /**
   * Whether nothing was done, because the same file with the same mapping was imported before or is being
   * imported.
   */
  isDuplicate: boolean;
};

/**
 * Queues an uploaded file for import and stores it permanently. If the same file was imported before, returns
 * that import. Errors: `upload_not_found`, `receiving_account_not_found`, `invalid_request` for an invalid or
 * missing mapping, `invalid_statement` for an unsupported format.
 */
export async function importStatement(db: Db, input: ImportInput & Audited): Promise<ImportResult> {
  const { merchantId, mode, systemNow, audit } = input;
  const account = await getReceivingAccount(db, { merchantId, mode, id: input.receivingAccountId });
  const upload = await getUpload(db, { id: input.uploadId, merchantId, mode, now: systemNow });
  const { format } = await readFormat(db, upload);
  // An archive may contain tables. Reading them without a mapping is an error of the import.
  const archiveMapping = format === 'zip' ? (await chooseMapping(db, input))?.mapping : undefined;
  const mapping = format === 'csv' ? await requireMapping(db, input) : archiveMapping;
  return transact(db, async (uow) => {
    const { tx } = uow;
    // Of two concurrent imports of the same file, the second finds the statement of the first.
    const accountIds = await lockSharedIds(tx, account);
    // Another account of the same file is another import.
    const { fileAccount = null } = input;
    const mappingHash =
      mapping || fileAccount !== null
        ? sha256(toCanonicalJson(fileAccount === null ? mapping : { mapping, fileAccount }))
        : '';
    const existingStatement = await findExistingImport(tx, {
      accountIds,
      fileHash: upload.sha256 ?? '',
      mappingHash,
    });
    if (!existingStatement && mapping && input.mapping)
      await storeStatementMapping(tx, { ...input, mapping });
    const statement =
      existingStatement ?? (await queueStatement(uow, input, { account, upload, mapping, mappingHash }));
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'statement.imported',
        objectId: statement.id,
      });
    return { statement, isDuplicate: existingStatement !== null };
  });
}

type FileIdentity = Pick<Statement, 'fileHash' | 'mappingHash'> & { accountIds: readonly string[] };

/**
 * Returns the import of the same file for the bank account, with the same mapping, unless it failed, was cancelled or
 * was undone.
 */
async function findExistingImport(
  tx: Tx,
  { accountIds, fileHash, mappingHash }: FileIdentity,
): Promise<Statement | null> {
  // Uses raw SQL, because Prisma casts the status, which would prevent the use of the partial index.
  const [existing] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM statement WHERE receiving_account_id = ANY(${accountIds}) AND file_hash = ${fileHash}
      AND mapping_hash = ${mappingHash} AND status IN ('queued', 'running', 'awaiting_confirmation', 'completed')
    ORDER BY id LIMIT 1`;
  return existing ? tx.statement.findUnique({ where: { id: existing.id } }) : null;
}

async function requireMapping(db: Db, input: ImportInput): Promise<CsvMapping> {
  const choice = await chooseMapping(db, input);
  if (choice) return choice.mapping;
  throw invalidInputError(
    '/mapping',
    'is required: no table, such as a CSV file, has been imported for this account before',
  );
}

async function queueStatement(
  uow: UnitOfWork,
  { merchantId, mode, actor, now, fileAccount }: ImportInput,
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
      fileAccount: fileAccount ?? null,
      importedBy: actor,
      resultCounts: {},
      createdAt: now,
    },
  });
  announceChange(uow, { objectId: statement.id, merchantId, mode });
  return statement;
}
