import { fillText } from '../../../language/fill-text.ts';
import { pluralize } from '../../format/count.ts';
import type { Plural } from '../../language/strings.ts';
import { t } from '../../language/texts.ts';
import type { StatementRow } from './statements-query.ts';

const resultTexts: [name: keyof StatementRow['resultCounts'], texts: Plural][] = [
  ['matched', t.statement.matchedCount],
  ['partial', t.statement.partialCount],
  ['over', t.statement.overpaidCount],
  ['exception', t.statement.toReviewCount],
  ['duplicate', t.statement.duplicateCount],
  ['returned', t.statement.returnedCount],
  ['outgoing', t.statement.outgoingCount],
  ['dismissed', t.statement.ignoredCount],
  ['ignored', t.statement.skippedCount],
];

/**
 * Formats the results of an import in one line, without zero counts. Transfers that needed review then, but have been
 * handled since, are counted separately.
 */
export function formatResults(statement: Pick<StatementRow, 'resultCounts' | 'needsReviewCount'>): string {
  const { resultCounts, needsReviewCount } = statement;
  const parts = resultTexts.flatMap(([name, texts]) => {
    const count = name === 'exception' ? needsReviewCount : resultCounts[name];
    return count > 0 ? [pluralize(count, texts)] : [];
  });
  const reviewedCount = Math.max(0, resultCounts.exception - needsReviewCount);
  if (reviewedCount > 0) parts.push(pluralize(reviewedCount, t.statement.reviewedCount));
  return parts.length === 0 ? t.statement.noEntries : parts.join(' · ');
}

type StatementFormatCode = NonNullable<StatementRow['format']>;

const formatNames: Record<StatementFormatCode, string> = {
  bai2: 'BAI2',
  camt_052: t.statement.iso20022Camt052,
  camt_053: t.statement.iso20022Camt053,
  camt_054: t.statement.iso20022Camt054,
  mt940: t.statement.swiftMt940,
  mt942: t.statement.swiftMt942InterimReport,
  ofx: t.statement.ofx,
  qif: t.statement.qif,
  csv: t.statement.csv,
  xlsx: t.statement.excelWorkbook,
  html: t.statement.htmlTable,
};

export function getFormatName(format: StatementFormatCode | null): string | null {
  return format === null ? null : (formatNames[format] ?? format);
}

export function formatStatementError({ line, message }: { line: number | null; message: string }): string {
  return line === null ? message : fillText(t.statement.line, { line, message });
}
