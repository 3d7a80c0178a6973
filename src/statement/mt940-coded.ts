import type { Mt940Info } from './mt940-info.ts';
import { collapseSpaces, joinWrappedLines } from './mt940-wrap.ts';
import { withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/**
 * The codes of field 86: those of SWIFT, those of the common format of Dutch banks, and those that single banks have
 * added.
 */
const codes =
  'TRTP|TRCD|IBAN|BIC|NAME|ADDR|REMI|EREF|PREF|IREF|MARF|CSID|CNTP|ORDP|BENM|ULTD|ULTC|ULTB|UDTR|UCRD|PURP|RTRN|ISDT|SVCL|ACCW|OCMT|CHGS|EXCH|ID|BUSP|CREF';
const openingPattern = new RegExp(`^\\s*/(?:${codes})/`);
/**
 * Matches a line that begins with a code of the other party or of the payer's text. The codes begin at such a line even
 * if free text precedes it.
 */
const counterpartyLinePattern = /^\/(NAME|ORDP|BENM|REMI|IBAN|CNTP)\//;
const codePattern = new RegExp(`/(${codes})(?=/)`);

/**
 * Parses the SWIFT convention used mostly by Dutch banks: codes between slashes, each before its value, as in
 * `/TRTP/SEPA OVERBOEKING/IBAN/NL…/BIC/…/NAME/…/REMI/…/EREF/…` or `/CNTP/account/BIC/name/town/`. Lines above
 * the codes are text. Returns undefined for other formats.
 */
export function parseCodedInfo(lines: string[], { width }: { width: number }): Mt940Info | undefined {
  const startIndex = lines.findIndex((line, at) => at > 0 && counterpartyLinePattern.test(line));
  if (startIndex > 0 && !openingPattern.test(lines[0]!)) {
    const info = parseCodedInfo(lines.slice(startIndex), { width });
    const above = collapseSpaces(joinWrappedLines(lines.slice(0, startIndex), { width }));
    return info && { ...info, texts: [above, ...info.texts] };
  }
  const text = joinWrappedLines(lines, { width });
  if (!openingPattern.test(text)) return undefined;
  const pieces = text.split(codePattern);
  const values = new Map<string, string>();
  for (let at = 1; at < pieces.length; at += 2) {
    const value = collapseSpaces(pieces[at + 1]!.replace(/^\//, '').replace(/(?<!\/)\/+\s*$/, ''));
    // The counterparty comes first; an ultimate party later uses the same codes.
    if (value !== '' && !values.has(pieces[at]!)) values.set(pieces[at]!, value);
  }
  const [account, , name] = (values.get('CNTP') ?? '').split('/');
  const endToEndId = withoutPlaceholder(values.get('EREF'));
  const remittance = values.get('REMI')?.replace(/^(USTD\/{0,2}|STRD\/(CUR|ISO)\/)/, '');
  const texts = [remittance, endToEndId].filter((one): one is string => one !== undefined && one !== '');
  return withoutUndefined<Mt940Info>({
    texts,
    info: ['TRTP', 'PURP', 'ULTD', 'ULTC', 'ULTB'].flatMap((one) => values.get(one) ?? []),
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
