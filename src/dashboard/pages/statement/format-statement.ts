import { formatCount } from '../../format/count.ts';
import type { StatementRow } from './statements-query.ts';

const resultLabels: [name: keyof StatementRow['resultCounts'], text: string][] = [
  ['matched', 'matched'],
  ['partial', 'partial'],
  ['over', 'overpaid'],
  ['exception', 'to review'],
  ['duplicate', 'duplicate'],
  ['returned', 'returned'],
  ['outgoing', 'outgoing'],
  ['dismissed', 'ignored by a rule'],
  ['ignored', 'not booked'],
];

/**
 * Formats the results of an import in one line, without zero counts. Transfers that needed review then, but have been
 * handled since, are counted separately.
 */
export function formatResults(statement: Pick<StatementRow, 'resultCounts' | 'needsReviewCount'>): string {
  const { resultCounts, needsReviewCount } = statement;
  const parts = resultLabels.flatMap(([name, text]) => {
    const count = name === 'exception' ? needsReviewCount : resultCounts[name];
    return count > 0 ? [`${formatCount(count)} ${text}`] : [];
  });
  const reviewedCount = Math.max(0, resultCounts.exception - needsReviewCount);
  if (reviewedCount > 0) parts.push(`${formatCount(reviewedCount)} reviewed`);
  return parts.length === 0 ? 'No entries' : parts.join(' · ');
}

type StatementFormatCode = NonNullable<StatementRow['format']>;

const formatNames: Record<StatementFormatCode, string> = {
  bai2: 'BAI2',
  camt_052: 'ISO 20022 camt.052 (interim report)',
  camt_053: 'ISO 20022 camt.053',
  camt_054: 'ISO 20022 camt.054',
  mt940: 'SWIFT MT940',
  mt942: 'SWIFT MT942 (interim report)',
  ofx: 'OFX',
  qif: 'QIF',
  csv: 'CSV',
  xlsx: 'Excel workbook',
  html: 'HTML table',
};

export function getFormatName(format: StatementFormatCode | null): string | null {
  return format === null ? null : (formatNames[format] ?? format);
}

export function formatStatementError({ line, message }: { line: number | null; message: string }): string {
  return line === null ? message : `Line ${line}: ${message}`;
}
