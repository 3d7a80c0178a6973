/**
 * A field of an EMVCo Merchant-Presented Mode code: a 2-digit ID, a 2-digit decimal length and a value. The
 * value of a template is a list of fields. Only ASCII is written and accepted, because readers disagree on
 * the length and checksum of other text.
 */
export type EmvField = readonly [id: string, value: string | readonly EmvField[]];

const valueLengthMax = 99;
export const emvLengthMax = 512;

/** Patterns of the root fields (EMVCo MPM 1.1, table 3.7). The checksum (63) is handled separately. */
const rootPatterns: Record<string, RegExp> = {
  '00': /^\d\d$/,
  '01': /^1[12]$/,
  '52': /^\d{4}$/,
  '53': /^\d{3}$/,
  '54': /^(?=.{1,13}$)\d+(\.\d+)?$/,
  '55': /^0[123]$/,
  '56': /^(?=.{1,13}$)\d+(\.\d+)?$/,
  '57': /^(?=.{1,5}$)\d+(\.\d+)?$/,
  '58': /^[A-Z]{2}$/,
  '59': /^.{1,25}$/,
  '60': /^.{1,15}$/,
  '61': /^.{1,10}$/,
};

/** Entries 01 to 08 of the additional data (62) hold at most 25 characters each. */
const additionalPattern = /^.{1,25}$/;

const asciiPattern = /^[\x20-\x7e]+$/;

/**
 * Returns the code with its checksum. Throws `Error` if fields break a rule of the standard, which is a bug
 * of the caller.
 */
export function writeEmv(fields: readonly EmvField[]): string {
  const body = `${fields.map((field) => writeField(field)).join('')}6304`;
  const code = body + computeEmvChecksum(body);
  const error = findEmvError(code);
  if (error !== undefined) throw new Error(`generated an invalid payment code: ${error}`);
  return code;
}

function writeField([id, value]: EmvField): string {
  const text = typeof value === 'string' ? value : value.map((field) => writeField(field)).join('');
  // A longer length would overflow its two digits and shift all following fields.
  if (text.length > valueLengthMax)
    throw new Error(`field ${id} of a payment code has ${text.length} characters`);
  return id + text.length.toString().padStart(2, '0') + text;
}

/** The remainders of all single bytes, precomputed because every charge needs a code. */
const checksumTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/**
 * Returns the CRC-16/CCITT-FALSE (polynomial 0x1021, initial 0xFFFF, not reflected, no final XOR) as 4
 * upper-case hex digits. Each character is one byte.
 */
export function computeEmvChecksum(text: string): string {
  let crc = 0xffff;
  for (let i = 0; i < text.length; i++) {
    const byte = (crc >> 8) ^ (text.charCodeAt(i) & 0xff);
    crc = ((crc << 8) & 0xffff) ^ (checksumTable[byte] ?? 0);
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** Returns the text of a plain field, or `undefined` if it is missing or a template. */
export function getText(fields: readonly EmvField[], id: string): string | undefined {
  const value = fields.find((field) => field[0] === id)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the fields of a template, or `undefined` if the field is missing or not a template. */
export function getTemplate(fields: readonly EmvField[], id: string): readonly EmvField[] | undefined {
  const value = fields.find((field) => field[0] === id)?.[1];
  return typeof value === 'object' ? value : undefined;
}

function findEmvError(code: string): string | undefined {
  const result = parseEmv(code);
  return typeof result === 'string' ? result : undefined;
}

/** Returns the fields, or a message if the code is invalid. */
export function parseEmv(code: string): EmvField[] | string {
  if (code.length > emvLengthMax) return `it is longer than ${emvLengthMax} characters`;
  if (!asciiPattern.test(code)) return 'it contains characters outside printable ASCII';
  const body = code.slice(0, -4);
  if (!body.endsWith('6304')) return 'it does not end with a checksum in field 63';
  if (computeEmvChecksum(body) !== code.slice(-4)) return 'its checksum is invalid';
  const fields = parseFields(body.slice(0, -4));
  if (typeof fields === 'string') return fields;
  if (fields[0]?.[0] !== '00') return 'it does not begin with the payload format in field 00';
  return readRoot(fields);
}

/** Matches an ID and a length. `Number` alone would also accept signs, decimal points and blanks. */
const headPattern = /^\d{4}$/;

/** Parses the text in one pass. Each step consumes at least 5 characters, so the loop always ends. */
export function parseFields(text: string): [id: string, value: string][] | string {
  const fields: [string, string][] = [];
  const ids = new Set<string>();
  let offset = 0;
  while (offset < text.length) {
    const head = text.slice(offset, offset + 4);
    if (!headPattern.test(head)) return `no field starts at character ${offset + 1}`;
    const id = head.slice(0, 2);
    const length = Number(head.slice(2));
    const value = text.slice(offset + 4, offset + 4 + length);
    if (length === 0) return `field ${id} is empty`;
    if (value.length < length) return `field ${id} is longer than the remaining text`;
    if (ids.has(id)) return `field ${id} occurs twice`;
    ids.add(id);
    fields.push([id, value]);
    offset += 4 + length;
  }
  return fields;
}

function readRoot(rootFields: readonly [id: string, value: string][]): EmvField[] | string {
  const fields: EmvField[] = [];
  for (const [id, value] of rootFields) {
    if (id === '63') return 'field 63 occurs twice';
    if (rootPatterns[id]?.test(value) === false) return `field ${id} has an invalid format`;
    if (!isTemplate(id)) {
      fields.push([id, value]);
      continue;
    }
    const nestedFields = parseFields(value);
    if (typeof nestedFields === 'string') return `in field ${id}, ${nestedFields}`;
    const longEntry =
      id === '62' &&
      nestedFields.find(
        ([nestedId, text]) => nestedId >= '01' && nestedId <= '08' && !additionalPattern.test(text),
      );
    if (longEntry) return `field 62-${longEntry[0]} is longer than 25 characters`;
    fields.push([id, nestedFields]);
  }
  return fields;
}

/**
 * Returns whether the field is parsed as a template: merchant account information (26 to 51) or additional data (62).
 * Schemes put plain text, such as a hash, into 80 to 99.
 */
function isTemplate(id: string): boolean {
  return (id >= '26' && id <= '51') || id === '62';
}

/** Characters that NFKD does not decompose into ASCII and marks. */
const letterReplacements: Record<string, string> = {
  đ: 'd',
  Đ: 'D',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
};

/**
 * Returns a name in ASCII of at most `max` characters, for fields 59 and 60. Strips marks off letters
 * (Vietnamese too) and drops characters without an ASCII form. The result may be empty.
 */
export function toAsciiText(name: string, max: number): string {
  return name
    .replace(/[đĐøØłŁßæÆœŒðÐþÞı’‘–—]/g, (letter) => letterReplacements[letter] ?? '')
    .normalize('NFKD')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, max)
    .trimEnd();
}
