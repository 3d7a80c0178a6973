/**
 * Prints rows that have the same keys as a Markdown table for docs/internals/performance.md. Numbers are right-aligned.
 */
export function printTable(rows: Record<string, string | number>[]): void {
  if (rows.length === 0) return;
  const headers = Object.keys(rows[0]!);
  const texts = rows.map((row) => headers.map((header) => formatCell(row[header] ?? '')));
  const widths = headers.map((header, i) =>
    Math.max(header.length, 4, ...texts.map((row) => row[i]!.length)),
  );
  const isNumberColumn = headers.map((header) => rows.every((row) => typeof row[header] === 'number'));
  const formatLine = (cells: string[]) =>
    `| ${cells.map((cell, i) => (isNumberColumn[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join(' | ')} |`;
  console.log(formatLine(headers));
  console.log(
    `| ${widths.map((width, i) => (isNumberColumn[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`,
  );
  for (const row of texts) console.log(formatLine(row));
  console.log('');
}

function formatCell(value: string | number): string {
  if (typeof value === 'string' || Number.isInteger(value)) return String(value);
  return value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 0);
}

/** Returns the smallest value that is greater than or equal to `share` (0 to 1) of the values. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);

/**
 * Returns the median of each property over all rounds. The medians of two properties may come from different rounds.
 */
export function toMedians<Round extends Record<string, number>>(rounds: Round[]): Round {
  const names = Object.keys(rounds[0]!);
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map((round) => round[name]!))]),
  ) as Round;
}
