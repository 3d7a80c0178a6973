import type { Mt940Info } from './mt940-info.ts';
import { splitKeywords } from './mt940-structured.ts';
import { collapseSpaces, joinWrappedLines, type WrappedLine } from './mt940-wrap.ts';
import { withoutUndefined } from './statement-text.ts';

/** SWIFT's maximum line length. After a line of this length, the text continues on the next line. */
const lineWidth = 65;

/**
 * Patterns for the other party's account and name, as some Dutch banks write them. `bank` limits a pattern to
 * one bank.
 */
const counterparties: { pattern: RegExp; bank?: string }[] = [
  { pattern: /\bREK: (?<account>[A-Z]{2}\d{2}[A-Z0-9]{8,30})\/NAAM: (?<name>.+)$/ },
  {
    pattern:
      /\bIBAN: (?<account>[A-Z]{2}\d{2}[A-Z0-9]{8,30})\b.*?\bNAAM: (?<name>.+?)(?= (?:OMSCHRIJVING|KENMERK|MACHTIGING|INCASSANT): |$)/,
  },
  { pattern: /^GIRO +(?<account>\d{3,9}) (?<name>\S+(?: \S+)*)/ },
  { pattern: /^(?<account>\d{2}\.\d{2}\.\d{2}\.\d{3}) +(?<name>\S+(?: \S+)*)/ },
  { pattern: /^(?<account>\d{10}) /, bank: 'INGB' },
];

/**
 * Parses field 86 without structure: the payer may have written all of it. `header` is the text before the first field
 * of the file.
 */
export function parsePlainInfo(lines: WrappedLine[], { header }: { header: string }): Mt940Info {
  const text = joinWrappedLines(lines, { width: lineWidth }).trim();
  const { texts, ids, other, others } = splitKeywords(text);
  const counterparty = counterparties
    .filter((layout) => layout.bank === undefined || header.includes(layout.bank))
    .map(({ pattern }) => pattern.exec(text)?.groups)
    .find((groups) => groups !== undefined);
  return withoutUndefined<Mt940Info>({
    ...ids,
    texts,
    info: other === undefined ? [] : [other],
    others,
    counterpartyName: counterparty?.name && collapseSpaces(counterparty.name),
    counterpartyAccount: counterparty?.account,
    isReturned: false,
  });
}
