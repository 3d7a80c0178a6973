import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Statement } from '../../prisma/client/client.ts';
import { cancelStatement } from '../domain/money-in/statement/cancel-statement.ts';
import type { StatementControl } from '../domain/money-in/statement/check-statement.ts';
import { confirmStatement, getDiscrepancies } from '../domain/money-in/statement/confirm-statement.ts';
import { getSkipReason } from '../domain/money-in/statement/import/convert-entry.ts';
import { finishNow, importNow } from '../domain/money-in/statement/import/import-now.ts';
import { previewFile } from '../domain/money-in/statement/preview/preview-file.ts';
import type { PreviewRow, StatementPreview } from '../domain/money-in/statement/preview/statement-preview.ts';
import { getImportCounts } from '../domain/money-in/statement/statement-state.ts';
import { readUndoConsequences } from '../domain/money-in/statement/undo/read-undo-consequences.ts';
import { undoStatement } from '../domain/money-in/statement/undo/undo-statement.ts';
import { merchantNow } from '../domain/platform/clock/merchant-now.ts';
import type { Service } from '../domain/platform/service.ts';
import { systemClock } from '../kit/clock.ts';
import { DomainError } from '../kit/errors.ts';
import { toDecimal } from '../kit/money.ts';
import type { Discrepancy } from '../statement/check-control-totals.ts';
import type { CommandCall, ServiceCommand } from './command.ts';
import { readText, requireFile } from './files.ts';

export const importStatementCommand: ServiceCommand = {
  async run(service, call) {
    const file = await readStatementInput(service, call);
    const onProgress = (statement: Statement) => call.onProgress(formatProgress(statement));
    const { statement, isDuplicate } = await importNow(service, { ...file, onProgress });
    const result = { ...toJson(statement), isDuplicate };
    if (statement.status === 'awaiting_confirmation')
      return { json: result, text: toDiscrepancyText(statement), failed: true };
    return { json: result, text: toText(statement, isDuplicate) };
  },
};

export const cancelStatementCommand: ServiceCommand = {
  async run(service, { positionals: [id = ''] }) {
    const { audit, now, ...scope } = await readStatementContext(service, id);
    const statement = await cancelStatement(service, { ...scope, audit, now });
    const undoHint = statement.recordedCount > 0 ? `; undo them with: statement undo ${id}` : '';
    return {
      json: toJson(statement),
      text: `${statement.fileName}: cancelled, ${statement.recordedCount} entries recorded${undoHint}`,
    };
  },
};

export const confirmStatementCommand: ServiceCommand = {
  async run(service, { positionals: [id = ''], onProgress }) {
    const queued = await confirmStatement(service, await readStatementContext(service, id));
    const statement = await finishNow(service, queued, {
      clock: systemClock,
      onProgress: (current) => onProgress(formatProgress(current)),
    });
    return {
      json: toJson(statement),
      text: toText(statement, false),
      failed: statement.status !== 'completed',
    };
  },
};

export const undoStatementCommand: ServiceCommand = {
  async run(service, { positionals: [id = ''], options, onProgress }) {
    const { now: _, ...context } = await readStatementContext(service, id);
    if (options.preview === true) {
      const consequences = await readUndoConsequences(service.prisma, { id });
      const text = Object.entries(consequences).map(([name, value]) => `${name}: ${value}`);
      return { json: consequences, text: text.join('\n') };
    }
    const started = await undoStatement(service, context);
    const statement = await finishNow(service, started, {
      clock: systemClock,
      onProgress: ({ undoneCount }) => onProgress(`${undoneCount} transfers undone`),
    });
    const { status, undoneCount, fileName } = statement;
    return {
      json: { ...toJson(statement), undone: undoneCount },
      text: `${fileName}: ${undoneCount} transfers undone`,
      failed: status !== 'undone',
    };
  },
};

async function readStatementContext(service: Service, id: string) {
  const statement = await service.prisma.statement.findUnique({
    where: { id },
    include: { receivingAccount: { include: { merchant: true } } },
  });
  if (!statement) throw new DomainError('statement_not_found', `Statement not found: ${id}`);
  const { merchantId, mode, receivingAccount } = statement;
  const systemNow = systemClock.now();
  const audit = { actor: 'operator', now: systemNow };
  return { merchantId, mode, id, audit, now: merchantNow(systemNow, receivingAccount.merchant, mode) };
}

export const previewStatementCommand: ServiceCommand = {
  async run(service, call) {
    const preview = await previewFile(service, await readStatementInput(service, call));
    const failed = preview.errors.length > 0;
    return { json: toPreviewJson(preview), text: toPreviewText(preview), failed };
  },
};

/**
 * Reads the arguments: the file, its account and, for CSV, a JSON file with the column mapping that a preview printed.
 */
async function readStatementInput(service: Service, { positionals: [file = ''], options }: CommandCall) {
  await requireFile(file);
  const id = String(options.account);
  const account = await service.prisma.receivingAccount.findUnique({ where: { id } });
  if (!account) throw new DomainError('receiving_account_not_found', `Receiving account not found: ${id}`);
  return {
    merchantId: account.merchantId,
    mode: account.mode,
    receivingAccountId: account.id,
    source: createReadStream(file),
    fileName: basename(file),
    mapping: options.mapping === undefined ? undefined : await readMapping(String(options.mapping)),
    ...(options['file-account'] !== undefined && { fileAccount: String(options['file-account']) }),
    actor: 'operator',
    clock: systemClock,
  };
}

async function readMapping(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The file ${file} is not valid JSON: ${(error as Error).message}`);
  }
}

/** Names the statement, so that the user can cancel its import. */
function formatProgress({
  id,
  entryCount: entries,
  recordedCount: recorded,
  bytesRead,
  size,
}: Statement): string {
  if (entries === null) return `${id}: reading, ${bytesRead} of ${size} bytes`;
  return `${id}: ${recorded} of ${entries} entries`;
}

function toJson(statement: Statement) {
  const { id, status, format, entryCount: entries } = statement;
  const { count, items } = getDiscrepancies(statement);
  const discrepancies = items.map((discrepancy) => ({ ...discrepancy, ...formatAmounts(discrepancy) }));
  const notes = getNotes(statement);
  return {
    statementId: id,
    status,
    format,
    entries,
    ...getImportCounts(statement),
    ...(count > 0 && { discrepancyCount: count, discrepancies }),
    ...(notes.length > 0 && { notes }),
  };
}

function formatAmounts({ expected, actual, currency }: Discrepancy): { expected: string; actual: string } {
  const format = (value: string) =>
    currency === undefined ? value : toDecimal({ minor: BigInt(value), currency });
  return { expected: format(expected), actual: format(actual) };
}

function toDiscrepancyText(statement: Statement): string {
  const { count, items } = getDiscrepancies(statement);
  const lines = items.map(toDiscrepancyLine);
  const header = `${statement.fileName}: nothing is imported yet. Control totals that do not add up: ${count}`;
  return [header, ...lines, `confirm with: statement confirm ${statement.id}`].join('\n');
}

function toDiscrepancyLine(discrepancy: Discrepancy): string {
  const { expected, actual } = formatAmounts(discrepancy);
  return `line ${discrepancy.line}: ${discrepancy.kind}: expected ${expected || 'none'}, found ${actual || 'none'}`;
}

function toText(statement: Statement, isDuplicate: boolean): string {
  const parts = Object.entries(getImportCounts(statement)).map(([result, count]) => `${count} ${result}`);
  const suffix = isDuplicate ? ' (already imported: nothing was changed)' : '';
  const result = `${statement.fileName}: ${statement.entryCount} entries, ${parts.join(', ')}${suffix}`;
  return [result, ...getNotes(statement).map(toNoteLine)].join('\n');
}

function getNotes({ control }: Statement): string[] {
  return (control as StatementControl | null)?.notes ?? [];
}

function toNoteLine(note: string): string {
  return `note: ${note}`;
}

function toPreviewJson({ rows, discrepancies, ...preview }: StatementPreview) {
  return {
    ...preview,
    rows: rows.map(toRowJson),
    discrepancies: discrepancies.map((discrepancy) => ({ ...discrepancy, ...formatAmounts(discrepancy) })),
  };
}

function toRowJson({ line, entry }: PreviewRow) {
  if (!entry) return { line };
  const { direction, status, amount, bookedOn, reference, counterpartyName, bankReference } = entry;
  const { bookedAt = entry.bookedAtLocal } = entry;
  const money = { amount: toDecimal(amount), currency: amount.currency };
  return {
    line,
    direction,
    status,
    ...money,
    bookedOn,
    bookedAt,
    reference,
    counterpartyName,
    bankReference,
  };
}

function toPreviewText(preview: StatementPreview): string {
  const {
    format,
    mapping,
    mappingOrigin,
    bank,
    questions,
    rows,
    errors,
    entries,
    isComplete,
    discrepancies,
    notes,
  } = preview;
  const header = `${format ?? 'unknown format'}, ${entries}${isComplete ? '' : ' or more'} entries`;
  const lines = rows.flatMap(({ line, entry }) => {
    if (!entry) return `line ${line}: skipped`;
    const { direction, amount, bookedOn = '', reference, counterpartyName = '' } = entry;
    const signedAmount = `${direction === 'debit' ? '-' : ''}${toDecimal(amount)} ${amount.currency}`;
    const skipReason = getSkipReason(entry);
    const note = skipReason === undefined ? '' : ` (skipped: ${skipReason.replace('_', ' ')})`;
    return `line ${line}: ${[bookedOn, `${signedAmount}${note}`, reference, counterpartyName].filter(Boolean).join(' | ')}`;
  });
  const errorLines = errors.map(({ line, reason }) => `error in line ${line}: ${reason}`);
  const questionLines = questions.map(
    ({ kind, sample }) => `decide before importing: ${kind} of "${sample}"`,
  );
  const origin = bank === undefined ? mappingOrigin : `${mappingOrigin}, ${bank}`;
  const mappingLines = mapping && [`mapping (${origin}):`, JSON.stringify(mapping, null, 2)];
  const discrepancyLines = discrepancies.map(toDiscrepancyLine);
  return [
    header,
    ...lines,
    ...errorLines,
    ...discrepancyLines,
    ...notes.map(toNoteLine),
    ...questionLines,
    ...(mappingLines ?? []),
  ].join('\n');
}
