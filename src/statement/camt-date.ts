import { invalidStatementError } from './invalid-statement.ts';
import { isCalendarDate } from './statement-date.ts';
import { findAll, type XmlNode } from './xml-node.ts';

/**
 * `day` is the date as the bank writes it. `at` is set if the bank writes a time with an offset, and `atLocal` if it
 * writes a time without one.
 */
type CamtDate = { day: string; at?: Date; atLocal?: string };

const pattern = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * Parses a `DateAndDateTimeChoice` (`BookgDt`, `ValDt`): `Dt` is an XSD date, `DtTm` an XSD dateTime, with or
 * without an offset. The day is never converted to another time zone.
 */
export function parseCamtDate(choice: XmlNode): CamtDate | undefined {
  const node = [...findAll(choice, 'DtTm'), ...findAll(choice, 'Dt')].find(({ text }) => text !== '');
  if (!node) return undefined;
  const [, day, time, fraction = '', offset] = pattern.exec(node.text) ?? [];
  if (day === undefined || !isCalendarDate(day)) throw notADateError(node);
  if (time === undefined) return { day };
  const local = `${day}T${time.length === 5 ? `${time}:00` : time}${fraction}`;
  const at = new Date(`${local}${offset?.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2') ?? 'Z'}`);
  if (Number.isNaN(at.getTime())) throw notADateError(node);
  return offset === undefined ? { day, atLocal: local } : { day, at };
}

function notADateError({ line, name, text }: XmlNode): Error {
  return invalidStatementError(line, `<${name}> "${text.slice(0, 40)}" is not a date`);
}
