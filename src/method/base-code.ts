import { type MethodCode, paymentMethods } from './catalog.ts';
import { invalidAccount } from './details.ts';
import { type EmvField, emvLengthMax, getTemplate, getText, readEmv, writeEmv } from './emv.ts';
import { currencyNumber } from './payment-code.ts';
import { paymentReferenceLength } from './payment-reference.ts';
import { demoName } from './scheme.ts';

/**
 * Codes that only the merchant's acquirer can issue (DuitNow, QRIS, QR Ph for merchants). The merchant provides its
 * static code. For a payment, we set the amount and mark the code as dynamic; all other fields stay unchanged.
 */
export type BaseCodeRule = {
  method: MethodCode;
  /** JSON pointer to the member of the details that holds the code. */
  path: string;
  /** The name that merchants know such a code by. */
  name: string;
  /** The field and GUID that identify a code of this scheme. */
  templateId: string;
  guid: string;
};

/** Limit of the characters we add: amount (4 + 13), reference (4 + 4 + 25 without an existing 62), 01 (6), DEMO (8). */
const additionsLengthMax = 64;
/** `05` + length + a payment reference. */
const referenceLength = 4 + paymentReferenceLength;

/**
 * Reads and checks a merchant's own code; returns its fields without the checksum. Throws
 * `receiving_account_invalid`.
 */
export function readBaseCode(code: string, rule: BaseCodeRule): EmvField[] {
  const { path } = rule;
  const fields = readEmv(code, path);
  const template = getTemplate(fields, rule.templateId);
  if (!template || getText(template, '00')?.toUpperCase() !== rule.guid.toUpperCase()) {
    throw invalidAccount(path, `must be a ${rule.name}, with ${rule.guid} in field ${rule.templateId}`);
  }
  const number = currencyNumber(rule.method);
  const { currency, country } = paymentMethods[rule.method];
  if (getText(fields, '53') !== number)
    throw invalidAccount(path, `must have the currency ${currency} (${number} in field 53)`);
  if (getText(fields, '58') !== country)
    throw invalidAccount(path, `must have the country ${country} in field 58`);
  // An acquirer may reject a second payment to a dynamic code. A static code with an amount is fine: we
  // replace the amount.
  if (getText(fields, '01') === '12')
    throw invalidAccount(path, 'must be a static code, not a code for a single payment');
  if (['55', '56', '57'].some((id) => getText(fields, id) !== undefined)) {
    throw invalidAccount(
      path,
      'must not request a tip or fee, because the customer would pay a different amount',
    );
  }
  if (code.length + additionsLengthMax > emvLengthMax)
    throw invalidAccount(path, 'is too long to add an amount');
  return fields;
}

/** Returns the scheme's template of a base code that {@link readBaseCode} has accepted. */
export function schemeTemplate(fields: readonly EmvField[], rule: BaseCodeRule): readonly EmvField[] {
  return getTemplate(fields, rule.templateId) ?? [];
}

/**
 * Returns whether the code has room for our reference (62-05). An acquirer's own reference in that field
 * is preserved, because the acquirer may find its payment by it. `***` asks the customer for a
 * reference, so ours can replace it.
 */
export function canFitReference(fields: readonly EmvField[]): boolean {
  const additional = getTemplate(fields, '62') ?? [];
  const reference = getText(additional, '05');
  if (reference !== undefined && reference !== '***') return false;
  const length = additional.reduce((sum, [, value]) => sum + 4 + value.length, 0);
  return length + referenceLength <= 99;
}

/** Returns the code for one payment. `reference` is written to 62-05 if there is room for it. */
export function fillBaseCode(
  fields: readonly EmvField[],
  payment: { amount: string; reference?: string; demo: boolean },
): string {
  let result = setField(fields, ['01', '12'], '00');
  result = setField(result, ['54', payment.amount], '53');
  if (payment.demo) {
    // Apps would show the name in another script (64) instead of DEMO.
    result = setField(result, ['59', demoName], '58').filter(([id]) => id !== '64');
  }
  if (payment.reference !== undefined && canFitReference(fields)) {
    const additional = setField(getTemplate(result, '62') ?? [], ['05', payment.reference], '04');
    result = setField(result, ['62', additional], '61');
  }
  return writeEmv(result);
}

/** Replaces the field, or inserts it before the first higher id after `after`, so that ids stay in order. */
function setField(fields: readonly EmvField[], field: EmvField, after: string): EmvField[] {
  const at = fields.findIndex(([id]) => id === field[0]);
  if (at >= 0) return fields.with(at, field);
  const lastIndex = fields.findLastIndex(([id]) => id <= after);
  return fields.toSpliced(lastIndex + 1, 0, field);
}
