import { invalidStatementError } from './invalid-statement.ts';
import { readTextLines } from './text-lines.ts';

/**
 * A record with its continuations. `text` has the fields without the record code. `recordCount` counts the record and
 * its continuations.
 */
export type Bai2Record = { code: string; text: string; line: number; recordCount: number };

const recordLengthMax = 64 * 1024;
const continuationsMax = 1_000;

/**
 * Yields the records of a BAI2 file. A record ends at the line end, or at a slash if another record follows
 * on the line. Continuations (88) belong to the record before them.
 */
export async function* readBai2Records(source: AsyncIterable<Uint8Array>): AsyncGenerator<Bai2Record> {
  let current: Bai2Record | undefined;
  // Whether the record has reached the text of a movement, in which commas do not separate fields.
  let isInText = false;
  for await (const lines of readTextLines(source)) {
    for (const { text: lineText, line } of lines) {
      for (const text of lineText.trim().split(/\/\s+(?=(?:01|02|03|16|49|88|98|99),)/)) {
        if (text === '') continue;
        const [, code, rest = ''] = /^(\d\d)(?:,(.*))?$/s.exec(text) ?? [];
        if (code === undefined || !/^(01|02|03|16|49|88|98|99)$/.test(code))
          throw invalidStatementError(line, `"${text.slice(0, 40)}" is not a BAI2 record`);
        const content = rest.trimEnd().replace(/\/$/, '').trimEnd();
        if (code === '88') {
          if (!current) throw invalidStatementError(line, 'a continuation (88) continues no record');
          isInText ||= current.code === '16' && splitBai2Movement(current.text).text !== undefined;
          current.text += `${isInText ? ' ' : ','}${content}`;
          current.recordCount += 1;
          if (current.text.length > recordLengthMax || current.recordCount - 1 > continuationsMax)
            throw invalidStatementError(current.line, 'this record has too many continuations (88)');
          continue;
        }
        if (current) yield current;
        current = { code, text: content, line, recordCount: 1 };
        isInText = false;
      }
    }
  }
  if (current) yield current;
}

/** The fields of a movement (16). `text` is undefined if the record does not reach it. */
type Bai2Movement = {
  typeCode: string;
  amount: string;
  fundsType: string;
  valueDate?: string;
  bankReference?: string;
  customerReference?: string;
  text?: string;
};

/**
 * Splits a movement: type code, amount, funds type with the fields that it requires, references, and a text that may
 * contain commas.
 */
export function splitBai2Movement(record: string): Bai2Movement {
  const fields = record.split(',');
  const [typeCode = '', amount = '', fundsType = ''] = fields.splice(0, 3).map((field) => field.trim());
  const funds = fields.splice(0, countFundsFields(fundsType, fields));
  const [bankReference, customerReference, ...texts] = fields;
  return {
    typeCode,
    amount,
    fundsType,
    ...(fundsType === 'V' && funds[0] !== undefined && { valueDate: funds[0].trim() }),
    ...(bankReference !== undefined && { bankReference: bankReference.trim() }),
    ...(customerReference !== undefined && { customerReference: customerReference.trim() }),
    ...(texts.length > 0 && { text: texts.join(',').trim() }),
  };
}

/** Returns how many fields follow a funds type: date and time, three availabilities, or a list of days and amounts. */
export function countFundsFields(fundsType: string, following: string[]): number {
  if (fundsType === 'V') return 2;
  if (fundsType === 'S') return 3;
  return fundsType === 'D' ? 1 + 2 * Number(following[0] ?? 0) : 0;
}
