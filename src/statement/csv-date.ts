import { dayMs } from '../kit/duration.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { isCalendarDate } from './statement-date.ts';
import type { StatementEntry } from './statement-entry.ts';

type CsvDateTime = Pick<StatementEntry, 'bookedOn' | 'bookedAt' | 'bookedAtLocal'>;
export type CsvDateRules = Pick<CsvMapping, 'dateOrder' | 'hasBuddhistYears'> & {
  line: number;
  /** The import day, `YYYY-MM-DD`. It determines the year of dates that have none, and the latest plausible year. */
  today?: string | undefined;
};

/** The beginnings of English, Indonesian and Malay names, by month. */
const monthPrefixes = [
  ['jan'],
  ['feb', 'peb'],
  ['mar', 'mac'],
  ['apr'],
  ['may', 'mei'],
  ['jun'],
  ['jul'],
  ['aug', 'agu', 'ago', 'ogo'],
  ['sep'],
  ['oct', 'okt'],
  ['nov', 'nop'],
  ['dec', 'des', 'dis'],
];

const thaiMonths = [
  ['ม.ค.', 'มกราคม'],
  ['ก.พ.', 'กุมภาพันธ์'],
  ['มี.ค.', 'มีนาคม'],
  ['เม.ย.', 'เมษายน'],
  ['พ.ค.', 'พฤษภาคม'],
  ['มิ.ย.', 'มิถุนายน'],
  ['ก.ค.', 'กรกฎาคม'],
  ['ส.ค.', 'สิงหาคม'],
  ['ก.ย.', 'กันยายน'],
  ['ต.ค.', 'ตุลาคม'],
  ['พ.ย.', 'พฤศจิกายน'],
  ['ธ.ค.', 'ธันวาคม'],
];

/** Returns the number, from 1, of the month whose name or abbreviation is given; 0 if there is none. */
export function findMonth(name: string): number {
  return monthPrefixes.findIndex((prefixes) => prefixes.includes(name.slice(0, 3).toLowerCase())) + 1;
}

/**
 * Parses a date, with an optional time in the same or another cell: `2026-11-20`, `20/11/26`, `20 Nov 2026`,
 * `20261120`, `2026年11月20日`, `20/11/2569`, `115/11/20` (of the Republic of China), `2026-11-20T08:30:00+08:00`,
 * `20/11/2026 8:30:05 PM`. The mapping sets the order, except that the name of a month distinguishes it from the
 * day, and that a year of three or four digits may always come first. `20/11` and `20 Nov` are in the latest year
 * in which they are not more than a month in the future. Midnight without an offset is treated as no time.
 */
export function parseCsvDate(cell: string, timeCell: string, rules: CsvDateRules): CsvDateTime {
  const { date, rest } = readDate(normalizeCell(cell, rules), rules);
  const offset = /^[T ]?(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|[+-]\d{2}:?\d{2})$/.exec(rest);
  if (offset) {
    const bookedAt = new Date(`${date}T${offset[1]}${offset[2]}`);
    if (!Number.isNaN(bookedAt.getTime())) return { bookedOn: date, bookedAt };
  }
  const time = readTime(`${rest} ${normalizeCell(timeCell, rules)}`.replace(/^T/, '').trim());
  if (time === undefined) {
    throw invalidStatementError(
      rules.line,
      `"${`${cell} ${timeCell}`.trim().slice(0, 40)}" is not a date and time`,
    );
  }
  return { bookedOn: date, ...(time !== '' && { bookedAtLocal: `${date}T${time}` }) };
}

/** Parses the date at the beginning of a cell, and ignores the rest. */
export function parseCsvDay(cell: string, rules: CsvDateRules): string {
  return readDate(normalizeCell(cell, rules), rules).date;
}

/** The maximum length of a cell, longer than any date. A limit is needed, because the patterns take quadratic time. */
const cellLengthMax = 100;

function normalizeCell(cell: string, { line }: CsvDateRules): string {
  const text = cell.trim();
  if (text.length > cellLengthMax) throw invalidStatementError(line, `"${text.slice(0, 40)}" is not a date`);
  return text.normalize('NFKC').trim();
}

function readDate(text: string, rules: CsvDateRules): { date: string; rest: string } {
  const { hasBuddhistYears, line, today } = rules;
  const numericText = replaceMonthName(text);
  const dateOrder = numericText === text ? rules.dateOrder : getNamedOrder(text, rules.dateOrder);
  const completedDate = today === undefined ? undefined : completeDate(numericText, dateOrder, today);
  if (completedDate) return completedDate;
  const match =
    /^(\d{1,4})\s*[-/. 年년,]\s*(\d{1,2})\s*[-/. 月월,]+\s*(\d{1,4})(?!\d)\s*[日일.,]?(.*)$/s.exec(
      numericText,
    ) ?? matchCompactDate(numericText, dateOrder);
  const [, first = '', second = '', third = '', rest = ''] = match ?? [];
  const order = first.length > 2 ? 'ymd' : dateOrder;
  const parts = { ymd: [first, second, third], dmy: [third, second, first], mdy: [third, first, second] };
  const [year = '', month = '', dayOfMonth = ''] = parts[order];
  const fullYear = toGregorianYear(year, hasBuddhistYears);
  const date = `${String(fullYear).padStart(4, '0')}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
  const isYear = year.length === 4 || year.length === 2 || isRepublicYear(year);
  if (!match || !isYear || !isCalendarDate(date)) {
    throw invalidStatementError(line, `"${text.slice(0, 40)}" is not a date in the order ${rules.dateOrder}`);
  }
  if (today !== undefined && Number(date.slice(0, 4)) > Number(today.slice(0, 4)) + 1) {
    const hint = hasBuddhistYears ? '' : '; if years are in the Buddhist era, set hasBuddhistYears';
    throw invalidStatementError(line, `"${text.slice(0, 40)}" is years in the future${hint}`);
  }
  return { date, rest: rest.trim() };
}

/**
 * Returns the order of a date with the name of its month. If both numbers have at most two digits, as in `20 Nov 26`,
 * the mapping decides which of them is the year.
 */
function getNamedOrder(text: string, order: CsvDateRules['dateOrder']): CsvDateRules['dateOrder'] {
  if (/^\p{L}/u.test(text)) return 'mdy';
  return order === 'ymd' && /^\d{1,2}\D+\d{1,2}(?!\d)/.test(text) ? 'ymd' : 'dmy';
}

/** How many days in the future a date without a year may be: banks book a few days ahead over holidays. */
const futureDaysMax = 31;

function completeDate(text: string, order: CsvDateRules['dateOrder'], today: string) {
  const [, first = '', second = ''] = /^(\d{1,2})\s*[-/. ]\s*(\d{1,2})$/.exec(text) ?? [];
  if (first === '') return undefined;
  const [month, dayOfMonth] = order === 'dmy' ? [second, first] : [first, second];
  const latest = new Date(Date.parse(today) + futureDaysMax * dayMs).toISOString().slice(0, 10);
  const toDate = (year: number) => `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
  const year = Number(today.slice(0, 4)) + 1;
  const date = [toDate(year), toDate(year - 1), toDate(year - 2)].find(
    (candidate) => isCalendarDate(candidate) && candidate <= latest,
  );
  return date === undefined ? undefined : { date, rest: '' };
}

/** The offset of years of the Buddhist era: 2569 is 2026. */
const buddhistOffset = 543;
/** The offset of years of the Republic of China: 115 is 2026. */
const republicOffset = 1911;

/** Returns whether a year is of the Republic of China, the only era whose current years have three digits. */
function isRepublicYear(year: string): boolean {
  return year.length === 3 && year.startsWith('1');
}

/** Workbooks store real dates, so a Gregorian year is possible even where the bank's texts have Buddhist years. */
function toGregorianYear(year: string, hasBuddhistYears: boolean): number {
  if (isRepublicYear(year)) return Number(year) + republicOffset;
  if (!hasBuddhistYears) return Number(year.length === 2 ? `20${year}` : year);
  if (year.length === 2) return Number(`25${year}`) - buddhistOffset;
  return Number(year) > 2400 ? Number(year) - buddhistOffset : Number(year);
}

/** Replaces English, Indonesian, Malay and Thai month names with numbers. */
function replaceMonthName(text: string): string {
  const thai = thaiMonths.findIndex((names) => names.some((name) => text.includes(name)));
  if (thai !== -1) {
    const name = thaiMonths[thai]!.find((candidate) => text.includes(candidate))!;
    return text
      .replace(name, `-${thai + 1}-`)
      .split('-')
      .map((part) => part.trim())
      .join('-');
  }
  return text.replace(/([\s\-/.,]*)\b([A-Za-z]{3,9})\b\.?([\s\-/.,]*)/, (whole, before, name, after, at) => {
    const month = findMonth(name);
    if (month === 0) return whole;
    return `${at === 0 && before === '' ? '' : '-'}${month}${after === '' ? '' : '-'}`;
  });
}

/** Matches eight or six consecutive digits. */
function matchCompactDate(text: string, order: CsvDateRules['dateOrder']): RegExpExecArray | null {
  if (order === 'ymd') {
    return (
      /^(\d{4})(\d{2})(\d{2})(?!\d)(.*)$/s.exec(text) ??
      /^(\d{4})(\d{2})(\d{2})(?=\d{4,6}$)(.*)$/s.exec(text) ??
      /^(\d{2})(\d{2})(\d{2})(?!\d)(.*)$/s.exec(text)
    );
  }
  return /^(\d{2})(\d{2})(\d{4})(?!\d)(.*)$/s.exec(text) ?? /^(\d{2})(\d{2})(\d{2})(?!\d)(.*)$/s.exec(text);
}

/** Returns `hh:mm:ss`, an empty string for no time or midnight, or undefined for an invalid time. */
function readTime(text: string): string | undefined {
  if (text === '') return '';
  const ampm = /\b(am|pm)\b\.?|(午前|上午|오전)|(午後|下午|오후)/i.exec(text);
  const digits = text.replace(/\s*(\b(am|pm)\b\.?|午前|上午|오전|午後|下午|오후)\s*/i, '').trim();
  const match =
    /^(\d{1,2})[:.時时시]\s?(\d{2})(?:[:.分분]\s?(\d{2})(?:[.,]\d+)?)?[秒초분分]?$/.exec(digits) ??
    /^(\d{2})(\d{2})(\d{2})?$/.exec(digits);
  if (!match) return undefined;
  const [, hours = '', minutes = '', seconds = '00'] = match;
  const isAfternoon = ampm !== null && (ampm[1]?.toLowerCase() === 'pm' || ampm[3] !== undefined);
  const hour = ampm === null ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const time = `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`;
  return time === '00:00:00' ? '' : time;
}
