import type { Mt940Info } from './mt940-info.ts';
import { tidy, unwrap } from './mt940-wrap.ts';
import { withoutPlaceholder, withoutUndefined } from './statement-text.ts';

/** SWIFT's codes of this field, those of the Dutch banks' common format, and the banks' own additions. */
const codes =
  'TRTP|TRCD|IBAN|BIC|NAME|ADDR|REMI|EREF|PREF|IREF|MARF|CSID|CNTP|ORDP|BENM|ULTD|ULTC|ULTB|UDTR|UCRD|PURP|RTRN|ISDT|SVCL|ACCW|OCMT|CHGS|EXCH|ID|BUSP|CREF';
const opening = new RegExp(`^\\s*/(?:${codes})/`);
/**
 * Codes of the other party or the payer's text. A line that begins with one starts the codes, even below free
 * text.
 */
const counterpartyLine = /^\/(NAME|ORDP|BENM|REMI|IBAN|CNTP)\//;
const code = new RegExp(`/(${codes})(?=/)`);

/**
 * Parses the SWIFT convention used mostly by Dutch banks: codes between slashes, each before its value, as in
 * `/TRTP/SEPA OVERBOEKING/IBAN/NL…/BIC/…/NAME/…/REMI/…/EREF/…` or `/CNTP/account/BIC/name/town/`. Lines above
 * the codes are text. Returns undefined for other formats.
 */
export function codedInfo(lines: string[], { width }: { width: number }): Mt940Info | undefined {
  const startIndex = lines.findIndex((line, at) => at > 0 && counterpartyLine.test(line));
  if (startIndex > 0 && !opening.test(lines[0]!)) {
    const info = codedInfo(lines.slice(startIndex), { width });
    const above = tidy(unwrap(lines.slice(0, startIndex), { width }));
    return info && { ...info, texts: [above, ...info.texts] };
  }
  const text = unwrap(lines, { width });
  if (!opening.test(text)) return undefined;
  const pieces = text.split(code);
  const values = new Map<string, string>();
  for (let at = 1; at < pieces.length; at += 2) {
    const value = tidy(pieces[at + 1]!.replace(/^\//, '').replace(/(?<!\/)\/+\s*$/, ''));
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
    returned: values.has('RTRN'),
    returnReason: values.get('RTRN'),
  });
}
