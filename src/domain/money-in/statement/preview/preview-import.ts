import type { Charge, ReceivingAccount } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import { getReceivingAccount } from '../../../accounts/receiving-account/get-receiving-account.ts';
import type { RecordedStatus } from '../../../payments/allocation/transfer-state.ts';
import type { Service } from '../../../platform/service.ts';
import type { TransferInput } from '../../transfer/record/draft-transfer.ts';
import { recordCredits, type TransferResult } from '../../transfer/record/record-credits.ts';
import { isOfFileAccount } from '../file-account.ts';
import { createEntryConverter, getSkipReason } from '../import/convert-entry.ts';
import { type PreviewInput, previewStatement } from './preview-statement.ts';
import type { PreviewRow, StatementPreview } from './statement-preview.ts';

/** The status that the transfer of a row would have, and the charge that it would pay. */
type RowOutcome = { status: RecordedStatus; charge: Charge | null };
export type ImportPreviewRow = PreviewRow & { outcome?: RowOutcome | undefined };
export type ImportPreview = StatementPreview & { rows: ImportPreviewRow[] };

/** Previews a file like `previewStatement`, with the outcome of each credit in the first rows. */
export async function previewImport(
  service: Service,
  input: PreviewInput & { actor: string },
): Promise<ImportPreview> {
  const preview = await previewStatement(service, input);
  const mustChoose = preview.accounts.length > 1 && preview.fileAccount === undefined;
  if (mustChoose || preview.errors.length > 0 || preview.questions.length > 0) return preview;
  const { merchantId, mode, receivingAccountId } = input;
  const account = await getReceivingAccount(service, { merchantId, mode, id: receivingAccountId });
  return { ...preview, rows: await addOutcomes(service, preview, { ...input, account }) };
}

/** Discards the changes of a transaction, and keeps its results. */
class Rollback extends Error {
  readonly results: ReadonlyMap<TransferInput, TransferResult>;
  constructor(results: ReadonlyMap<TransferInput, TransferResult>) {
    super('The transaction only previews an import');
    this.results = results;
  }
}

/**
 * Records the credits of the rows in a transaction that is rolled back, so that the preview agrees with the import.
 */
async function addOutcomes(
  service: Service,
  { rows, fileAccount }: StatementPreview,
  {
    account,
    actor,
    now,
    systemNow,
  }: Pick<PreviewInput, 'now' | 'systemNow'> & { account: ReceivingAccount; actor: string },
): Promise<ImportPreviewRow[]> {
  const convert = createEntryConverter(account, { statementId: '', now });
  const credits = rows.flatMap((row) => {
    const { entry } = row;
    const isRecorded = entry && getSkipReason(entry) === undefined && isOfFileAccount(entry, fileAccount);
    if (!isRecorded) return [];
    const transfer = { ...convert(entry), statementId: undefined };
    // The import may replace a booking of several payments by the payments.
    return entry.direction === 'credit' && entry.transactionCount <= 1 ? [{ row, transfer }] : [];
  });
  const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id: account.merchantId } });
  const results = await transact(service, async (uow) => {
    const context = { merchant, account, actor, now, systemNow };
    throw new Rollback(
      await recordCredits(
        uow,
        context,
        credits.map(({ transfer }) => transfer),
      ),
    );
  }).catch((error: unknown) => {
    if (error instanceof Rollback) return error.results;
    throw error;
  });
  const charges = await service.prisma.charge.findMany({
    where: { id: { in: [...results.values()].flatMap(({ chargeId }) => chargeId ?? []) } },
  });
  const outcomes = new Map(
    credits.map(({ row, transfer }): [PreviewRow, RowOutcome] => {
      const { status, chargeId } = results.get(transfer)!;
      return [row, { status, charge: charges.find(({ id }) => id === chargeId) ?? null }];
    }),
  );
  return rows.map((row) => ({ ...row, outcome: outcomes.get(row) }));
}
