import { formatCount } from '../../format/count.ts';
import type { StatementRow } from './statements-query.ts';

const words: [name: keyof StatementRow['results'], text: string][] = [
  ['matched', 'matched'],
  ['partial', 'partial'],
  ['over', 'overpaid'],
  ['exception', 'to review'],
  ['duplicate', 'duplicate'],
  ['returned', 'returned'],
  ['outgoing', 'outgoing'],
  ['ignored', 'not booked'],
];

/** What came of the entries, in one line; what did not happen is left out. */
export function resultsText(results: StatementRow['results']): string {
  const parts = words.flatMap(([name, text]) =>
    results[name] > 0 ? [`${formatCount(results[name])} ${text}`] : [],
  );
  return parts.length === 0 ? 'No entries' : parts.join(' · ');
}

const formats: Record<string, string> = {
  camt: 'ISO 20022 camt',
  'camt.053': 'ISO 20022 camt.053',
  'camt.054': 'ISO 20022 camt.054',
  mt940: 'SWIFT MT940',
  csv: 'CSV',
};

export function formatText(format: string | null): string | null {
  return format === null ? null : (formats[format] ?? format);
}

export function faultText({ line, reason }: { line: number | null; reason: string }): string {
  return line === null ? reason : `Line ${line}: ${reason}`;
}
