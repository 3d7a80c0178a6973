import { dayMs } from '../kit/duration.ts';

/** The number of significant digits that Excel shows. */
const digitsMax = 15;

/**
 * Converts a number of a workbook to a decimal with the given mark. Workbooks store binary fractions, such as
 * `1234.5600000000001`, so the number is rounded to the digits that Excel shows. Returns the text itself if it is
 * not a number.
 */
export function formatXlsxNumber(text: string, decimalMark: '.' | ',' = '.'): string {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  const [mantissa = '', exponent = '0'] = number.toExponential(digitsMax - 1).split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '') || '0';
  const point = Number(exponent) + 1;
  const padded = point > 0 ? digits.padEnd(point, '0') : '0'.repeat(1 - point) + digits;
  const wholeLength = Math.max(point, 1);
  const fraction = padded.slice(wholeLength);
  const sign = number < 0 ? '-' : '';
  return `${sign}${padded.slice(0, wholeLength)}${fraction === '' ? '' : decimalMark + fraction}`;
}

/** The day with the serial number 0. The system of 1900 treats 1900 as a leap year. */
const epochs = { '1900': Date.UTC(1899, 11, 30), '1904': Date.UTC(1904, 0, 1) };
/** 31 December 9999, the last date of Excel. */
const serialMax = 2_958_465;

/**
 * Converts a serial number to `2026-11-20`, `2026-11-20 08:30:00`, or `08:30:00` if it has no day. Returns
 * undefined if it is not a date.
 */
export function formatXlsxDate(text: string, dateSystem: '1900' | '1904'): string | undefined {
  const serial = Number(text);
  if (text.trim() === '' || !(serial >= 0 && serial < serialMax + 1)) return undefined;
  const seconds = Math.round(serial * 86_400);
  const [date = '', time = ''] = new Date(epochs[dateSystem] + seconds * 1_000).toISOString().split('T');
  const clock = time.slice(0, 8);
  if (serial < 1) return clock;
  return seconds % (dayMs / 1_000) === 0 ? date : `${date} ${clock}`;
}

/** Returns whether a number format, by its identifier or code, shows dates or times. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined)
    return (
      (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
    );
  const letters = code.replace(/"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]/g, '').replace(/ss\.0+/gi, 'ss');
  return /[dmyhs]/i.test(letters) && !/[0#?]|general/i.test(letters);
}
