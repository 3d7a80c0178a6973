import { type MethodCode, paymentMethods } from './catalogue.ts';
import { invalidAccount } from './details.ts';
import { type EmvField, emvLengthMax, getTemplate, getText, readEmv, writeEmv } from './emv.ts';
import { currencyNumber } from './payment-code.ts';
import { demoName } from './scheme.ts';

/**
 * Codes that only the merchant's acquirer can issue (DuitNow, QRIS, QR Ph for merchants). The merchant gives its own
 * static code; for a payment we write the amount into it, mark it dynamic, and leave everything else as it is.
 */
export type BaseCodeRule = {
  method: MethodCode;
  /** The member of the details that holds the code. */
  path: string;
  /** What merchants call such a code. */
  name: string;
  /** The field and GUID that make it a code of this scheme. */
  templateId: string;
  guid: string;
};

/** What we add at most: amount (4 + 13), reference (4 + 4 + 25 when there is no 62), 01 (6) and DEMO (8). */
const additionsLengthMax = 64;
/** `05` + length + a nonce. */
const referenceLength = 13;

/** Reads and checks a merchant's own code: its fields without the checksum. Else `receiving_account_invalid`. */
export function readBaseCode(code: string, rule: BaseCodeRule): EmvField[] {
  const { path } = rule;
  const fields = readEmv(code, path);
  const template = getTemplate(fields, rule.templateId);
  if (!template || getText(template, '00')?.toUpperCase() !== rule.guid.toUpperCase()) {
    throw invalidAccount(path, `must be a ${rule.name}: field ${rule.templateId} with ${rule.guid}`);
  }
  const currency = currencyNumber(rule.method);
  if (getText(fields, '53') !== currency) throw invalidAccount(path, `must be in currency ${currency}`);
  const { country } = paymentMethods[rule.method];
  if (getText(fields, '58') !== country) throw invalidAccount(path, `must be for country ${country}`);
  // Made by the acquirer for one payment; it may refuse a second. A static one with an amount serves: we replace that.
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

/** The template of a base code that `readBaseCode` has found to be there. */
export function schemeTemplate(fields: readonly EmvField[], rule: BaseCodeRule): readonly EmvField[] {
  return getTemplate(fields, rule.templateId) ?? [];
}

/**
 * Whether the code has room for our reference (62-05). An acquirer's own reference there is left: it may find its
 * payment by it. `***` means that the customer is asked, so we answer.
 */
export function hasRoomForReference(fields: readonly EmvField[]): boolean {
  const additional = getTemplate(fields, '62') ?? [];
  const reference = getText(additional, '05');
  if (reference !== undefined && reference !== '***') return false;
  const length = additional.reduce((sum, [, value]) => sum + 4 + value.length, 0);
  return length + referenceLength <= 99;
}

/** The code for one payment. `reference` is written to 62-05 where there is room for it. */
export function fillBaseCode(
  fields: readonly EmvField[],
  payment: { amount: string; reference?: string; demo: boolean },
): string {
  let result = setField(fields, ['01', '12'], '00');
  result = setField(result, ['54', payment.amount], '53');
  if (payment.demo) {
    // The name in another script (64) would be shown in place of DEMO.
    result = setField(result, ['59', demoName], '58').filter(([id]) => id !== '64');
  }
  if (payment.reference !== undefined && hasRoomForReference(fields)) {
    const additional = setField(getTemplate(result, '62') ?? [], ['05', payment.reference], '04');
    result = setField(result, ['62', additional], '61');
  }
  return writeEmv(result);
}

/** Replaces the field, or puts it where ids stay in order: before the first higher one after `after`. */
function setField(fields: readonly EmvField[], field: EmvField, after: string): EmvField[] {
  const at = fields.findIndex(([id]) => id === field[0]);
  if (at >= 0) return fields.with(at, field);
  const lastIndex = fields.findLastIndex(([id]) => id <= after);
  return fields.toSpliced(lastIndex + 1, 0, field);
}
