/** Prints rows with equal members as a Markdown table for docs/internals/performance.md. Numbers are right-aligned. */
export function printTable(rows: Record<string, string | number>[]): void {
  if (rows.length === 0) return;
  const headers = Object.keys(rows[0]!);
  const texts = rows.map((row) => headers.map((header) => formatCell(row[header] ?? '')));
  const widths = headers.map((header, i) =>
    Math.max(header.length, 4, ...texts.map((row) => row[i]!.length)),
  );
  const isNumber = headers.map((header) => rows.every((row) => typeof row[header] === 'number'));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join(' | ')} |`;
  console.log(line(headers));
  console.log(
    `| ${widths.map((width, i) => (isNumber[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`,
  );
  for (const row of texts) console.log(line(row));
  console.log('');
}

function formatCell(value: string | number): string {
  if (typeof value === 'string' || Number.isInteger(value)) return String(value);
  return value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 0);
}

/** Returns the value below which the share (0 to 1) of the figures lies. */
export function percentile(figures: number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (figures: number[]): number => percentile(figures, 0.5);

/** Returns the median of each member over all rounds; they may come from different rounds. */
export function toMedians<Round extends Record<string, number>>(rounds: Round[]): Round {
  const names = Object.keys(rounds[0]!);
  return Object.fromEntries(
    names.map((name) => [name, median(rounds.map((round) => round[name]!))]),
  ) as Round;
}
