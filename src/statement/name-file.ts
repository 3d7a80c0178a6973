/** A type of file that is not a statement, with advice for the merchant. */
type OtherFile = { pattern: RegExp; advice: string; isHarmless?: true };

const messageTypes = new Map([
  ['101', 'a payment order'],
  ['103', 'a customer transfer'],
  ['202', 'a transfer between banks'],
  ['900', 'a confirmation of a debit'],
  ['910', 'a confirmation of a credit'],
  ['920', 'a request for a statement'],
  ['941', 'a balance report'],
]);

const askBank = 'ask the bank for camt.053, MT940 or CSV';

/**
 * Other files that banks or merchants have. A pattern matches the beginning of the file, with one character per byte
 * and without zero bytes. Harmless files are skipped in archives, because they have no entries.
 */
const otherFiles: OtherFile[] = [
  { pattern: /^%PDF-/, advice: `this is a PDF: ${askBank}`, isHarmless: true },
  {
    pattern: /^(\u0089PNG|\u00FF\u00D8\u00FF|GIF8|II\*|MM\*|RIFF.{2,4}WEBP|.{0,4}ftyp(heic|mif1|avif))/s,
    advice: `this is an image: ${askBank}`,
    isHarmless: true,
  },
  {
    pattern: /^PK[^ -~]{2}[\s\S]*?mimetypeapplication\/vnd\.oasis/,
    advice: 'this is an OpenDocument file: save it as .xlsx or CSV',
  },
  {
    pattern: /^\u00D0\u00CF.\u00E0/,
    advice:
      'this is an Excel 97-2003 workbook (.xls) or one with a password: open it in Excel or LibreOffice and save it as .xlsx',
  },
  {
    pattern: /^(7z\u00BC\u00AF|Rar!|BZh\d|\u00FD7zXZ|\u0028\u00B5\u002F\u00FD|[^\r\n]{20,400}ustar(00| ))/,
    advice: 'this is an archive that is neither ZIP nor GZIP: extract it first',
  },
  {
    pattern: /^(-----BEGIN PGP MESSAGE-----|\u0085[^ -~])/,
    advice: 'this file is encrypted with PGP: decrypt it first',
  },
  {
    pattern: /^(-----BEGIN PKCS7-----|MIME-Version:[\s\S]*pkcs7-mime)/i,
    advice: 'this file is encrypted or signed with S/MIME: save its content first',
  },
  {
    pattern: /^((Received|Return-Path|MIME-Version|Delivered-To|From): )/i,
    advice: 'this is an email: save its attachment',
  },
  { pattern: /^\{\\rtf/, advice: `this is a text document (RTF): ${askBank}` },
  { pattern: /^\s*[{[]\s*("|\{|\]|\})/, advice: `this is JSON: ${askBank}` },
  { pattern: /^(UNA.{6}\s*)?UNB\+/, advice: `this is an EDIFACT message: ${askBank}` },
];

/** Returns what to do with a file that is not a statement, or undefined if it may be one. */
export function findOtherFile(head: string): { advice: string; isHarmless: boolean } | undefined {
  const other = otherFiles.find(({ pattern }) => pattern.test(head));
  if (other) return { advice: other.advice, isHarmless: other.isHarmless ?? false };
  const type = findMessageType(head);
  if (type === undefined) return undefined;
  const title = messageTypes.get(type);
  const name = `MT${type}${title === undefined ? '' : ` (${title})`}`;
  return { advice: `this file is ${name}, not a statement: ${askBank}`, isHarmless: false };
}

/** Returns the type of a SWIFT message that is not a statement, from its envelope or its fields. */
function findMessageType(head: string): string | undefined {
  const type = /^\s*(?:\{1:[^}]*\})?\{2:[IO](\d{3})/.exec(head)?.[1];
  if (type !== undefined) return ['940', '942', '950'].includes(type) ? undefined : type;
  const lines = head.replace(/\r\n?/g, '\n');
  if (!/^:20:/m.test(lines) || !/^:32A:/m.test(lines) || /^:6[0-5]/m.test(lines)) return undefined;
  return /^:25P?:/m.test(lines) ? '910' : /^:23B:/m.test(lines) ? '103' : '202';
}
