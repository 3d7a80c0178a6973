import type { Mt940Info } from './mt940-info.ts';
import { collapseSpaces, joinWrappedLines, type WrappedLine } from './mt940-wrap.ts';
import { withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/**
 * Codes of field 86 with a text as their value: those of SWIFT, those of the common format of Dutch banks, and those
 * that single banks have added.
 */
const textCodes =
  'TRTP|IBAN|BIC|NAME|ADDR|REMI|EREF|PREF|IREF|MARF|CSID|CNTP|ORDP|BENM|ULTD|ULTC|ULTB|UDTR|UCRD|PURP|RTRN|ID|BUSP|CREF|OGB';

/**
 * Codes with an amount, a rate, a date or a number as their value, which has no spaces. Free text may follow it: HSBC
 * writes the payer's text on the line below `/OCMT/`.
 */
const valueCodes = 'TRCD|OCMT|CHGS|EXCH|ISDT|ACCW|SVCL|VA';

const codes = `${textCodes}|${valueCodes}`;
const openingPattern = new RegExp(`^\\s*/(?:${codes})/`);
/**
 * Matches a line that begins with a code of the other party or of the payer's text. The codes begin at such a line even
 * if free text precedes it.
 */
const counterpartyLinePattern = /^\/(NAME|ORDP|BENM|REMI|IBAN|CNTP)\//;
const codePattern = new RegExp(`/(${codes})(?=/)`);
const valueCodePattern = new RegExp(`^(?:${valueCodes})$`);

/** The codes whose first value is not added to `others`. */
const handledCodes = /^(REMI|EREF|NAME|ORDP|BENM|IBAN|RTRN|TRTP|PURP|ULTD|ULTC|ULTB)$/;

/**
 * Parses the SWIFT convention used mostly by Dutch banks and by HSBC: codes between slashes, each before its
 * value, as in `/TRTP/SEPA OVERBOEKING/IBAN/NL…/BIC/…/NAME/…/REMI/…/EREF/…` or
 * `/CNTP/account/BIC/name/town/`. Lines above the codes are text. Returns undefined for other formats.
 */
export function parseCodedInfo(lines: WrappedLine[], { width }: { width: number }): Mt940Info | undefined {
  const startIndex = lines.findIndex(({ text }, at) => at > 0 && counterpartyLinePattern.test(text));
  if (startIndex > 0 && !openingPattern.test(lines[0]!.text)) {
    const info = parseCodedInfo(lines.slice(startIndex), { width });
    const above = collapseSpaces(joinWrappedLines(lines.slice(0, startIndex), { width }));
    return info && { ...info, texts: [above, ...info.texts] };
  }
  const text = joinWrappedLines(lines, { width });
  if (!openingPattern.test(text)) return undefined;
  const { values, freeTexts, others } = splitCodes(text);
  const [account, , name] = (values.get('CNTP') ?? '').split('/');
  const endToEndId = withoutPlaceholder(values.get('EREF'));
  const remittance = values.get('REMI')?.replace(/^(USTD\/{0,2}|STRD\/(CUR|ISO)\/)/, '');
  const texts = [remittance, ...freeTexts, endToEndId];
  return withoutUndefined<Mt940Info>({
    texts: texts.filter((text): text is string => text !== undefined && text !== ''),
    info: ['TRTP', 'PURP', 'ULTD', 'ULTC', 'ULTB'].flatMap((key) => values.get(key) ?? []),
    others,
    endToEndId,
    instructionId: withoutPlaceholder(values.get('PREF')),
    mandateId: withoutPlaceholder(values.get('MARF')),
    counterpartyName: withoutPlaceholder(
      values.get('NAME') ?? values.get('ORDP') ?? values.get('BENM') ?? name?.trim(),
    ),
    counterpartyAccount: withoutPlaceholder((values.get('IBAN') ?? account ?? '').replace(/\s/g, '')),
    isReturned: values.has('RTRN'),
    returnReason: values.get('RTRN'),
  });
}

/**
 * Splits a text at its codes. `values` has the first value of each code: the counterparty comes first, and an ultimate
 * party later uses the same codes. `others` has the repeated values and those of codes outside `handledCodes`.
 */
function splitCodes(text: string): { values: Map<string, string>; freeTexts: string[]; others: string[] } {
  const values = new Map<string, string>();
  const freeTexts: string[] = [];
  const others: string[] = [];
  const pieces = text.split(codePattern);
  for (let at = 1; at < pieces.length; at += 2) {
    const code = pieces[at]!;
    const piece = collapseSpaces(pieces[at + 1]!.replace(/^\//, '').replace(/(?<!\/)\/+\s*$/, ''));
    const [, token = piece, rest = ''] = valueCodePattern.test(code)
      ? (/^([^\s/]*)[\s/]*(.*)$/.exec(piece) ?? [])
      : [];
    if (rest !== '') freeTexts.push(rest);
    if (token === '') continue;
    if (values.has(code) || !handledCodes.test(code)) others.push(token);
    if (!values.has(code)) values.set(code, token);
  }
  return { values, freeTexts, others };
}
