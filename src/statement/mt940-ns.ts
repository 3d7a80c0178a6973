import type { Mt940Info } from './mt940-info.ts';
import { joinSubfields } from './mt940-structured.ts';
import { collapseSpaces } from './mt940-wrap.ts';
import { withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/**
 * Parses field NS, in which some German, Hungarian and Polish banks write the text of a movement: one subfield a line,
 * which begins with its two digits. 01 to 14 are the remittance text, 15 and 16 the other party, 17 the bank's text,
 * and 34 the account.
 */
export function parseNsInfo(lines: string[]): Mt940Info {
  const subfields = lines
    .map((line) => /^(\d\d)(.*)$/.exec(line) ?? ['', '', line])
    .map(([, tag = '', value = '']) => ({ tag, value }));
  const values = (pattern: RegExp) =>
    subfields.filter(({ tag }) => pattern.test(tag)).map(({ value }) => value);
  const text = collapseSpaces(joinSubfields(values(/^(0[1-9]|1[0-4])$/)));
  return withoutUndefined<Mt940Info>({
    texts: text === '' ? [] : [text],
    info: values(/^17$/).map(collapseSpaces).filter(Boolean),
    others: values(/^(?!0[1-9]|1[0-7])/).map(collapseSpaces),
    counterpartyName: withoutPlaceholder(collapseSpaces(joinSubfields(values(/^1[56]$/)))),
    counterpartyAccount: withoutPlaceholder(values(/^34$/)[0]?.replace(/\s/g, '')),
    isReturned: false,
  });
}
