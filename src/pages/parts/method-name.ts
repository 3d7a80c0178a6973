import { getCountryLanguage } from '../../language/country-language.ts';
import { languages } from '../../language/languages.ts';
import { type MethodCode, paymentMethods } from '../../method/catalog.ts';
import type { InstructionField, InstructionRow } from '../../method/instructions.ts';
import type { PageI18n } from '../i18n.ts';

/** For Australia, `rows` shows whether the account is a PayID or a bank account, which have different names. */
export function methodName(i18n: PageI18n, method: MethodCode, rows?: readonly InstructionRow[]): string {
  const { strings } = i18n;
  if (method !== 'au-bank-transfer' || !rows) return strings.methods[method];
  return rows.some(({ field }) => field === 'pay_id') ? strings.rows.pay_id : strings.pay.bankTransfer;
}

/** Returns the label of a field, followed by the label in the language of the method's country if it differs. */
export function fieldLabel(i18n: PageI18n, method: MethodCode, field: InstructionField): string {
  const label = i18n.strings.rows[field];
  const local = languages[getCountryLanguage(paymentMethods[method].country)].rows[field];
  const isForeign = i18n.code !== getCountryLanguage(paymentMethods[method].country);
  return isForeign && local !== languages.en.rows[field] && local !== label ? `${label} · ${local}` : label;
}
