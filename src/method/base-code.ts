import { type MethodCode, paymentMethods } from './catalog.ts';
import { invalidAccountError } from './details.ts';
import { type EmvField, emvLengthMax, getTemplate, getText, writeEmv } from './emv.ts';
import { getCurrencyNumber } from './payment-code.ts';
import { paymentReferenceLength } from './payment-reference.ts';
import { readEmv } from './read-emv.ts';
import { demoName } from './scheme.ts';

/**
 * Identifies the codes of a scheme that only the merchant's acquirer can issue (DuitNow, QRIS, QR Ph for merchants).
 * The merchant provides its static code, from which `fillBaseCode` creates the code of each payment.
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

/** The maximum that `fillBaseCode` adds: amount (4 + 13), a new field 62 (4 + 4 + 25), field 01 (6), demo name (8). */
const additionsLengthMax = 64;
/** The length of field 62-05: its ID, its length and a payment reference. */
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
    throw invalidAccountError(path, `must be a ${rule.name}, with ${rule.guid} in field ${rule.templateId}`);
  }
  const number = getCurrencyNumber(rule.method);
  const { currency, country } = paymentMethods[rule.method];
  if (getText(fields, '53') !== number)
    throw invalidAccountError(path, `must have the currency ${currency} (${number} in field 53)`);
  if (getText(fields, '58') !== country)
    throw invalidAccountError(path, `must have the country ${country} in field 58`);
  // An acquirer may reject a second payment to a dynamic code.
  if (getText(fields, '01') === '12')
    throw invalidAccountError(path, 'must be a static code, not a code for a single payment');
  if (['55', '56', '57'].some((id) => getText(fields, id) !== undefined)) {
    throw invalidAccountError(
      path,
      'must not request a tip or fee, because the customer would pay a different amount',
    );
  }
  if (code.length + additionsLengthMax > emvLengthMax)
    throw invalidAccountError(path, 'is too long to add an amount');
  return fields;
}

/** Returns the scheme's template of a base code that {@link readBaseCode} has accepted. */
export function getSchemeTemplate(fields: readonly EmvField[], rule: BaseCodeRule): readonly EmvField[] {
  return getTemplate(fields, rule.templateId) ?? [];
}

/**
 * Returns whether the payment reference can be written to field 62-05. An acquirer's own reference in that field is
 * preserved, because the acquirer may identify the payment by it. `***` asks the customer for a reference, so it can be
 * replaced.
 */
export function canFitReference(fields: readonly EmvField[]): boolean {
  const additional = getTemplate(fields, '62') ?? [];
  const reference = getText(additional, '05');
  if (reference !== undefined && reference !== '***') return false;
  const length = additional.reduce((sum, [, value]) => sum + 4 + value.length, 0);
  return length + referenceLength <= 99;
}

/** Returns the dynamic code for one payment. `reference` is written to field 62-05 if it fits. */
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

/** Replaces the field, or inserts it after the last field with an ID up to `after`, so that IDs stay in order. */
function setField(fields: readonly EmvField[], field: EmvField, after: string): EmvField[] {
  const index = fields.findIndex(([id]) => id === field[0]);
  if (index >= 0) return fields.with(index, field);
  const lastIndex = fields.findLastIndex(([id]) => id <= after);
  return fields.toSpliced(lastIndex + 1, 0, field);
}
