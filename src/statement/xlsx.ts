import { isAmountCell, isDateCell } from './csv-guess-values.ts';
import type { CsvRecord } from './csv-records.ts';
import { InvalidStatement, invalidStatementError } from './invalid-statement.ts';
import { readXml, type XmlHandler } from './read-xml.ts';
import { isDateFormat } from './xlsx-number.ts';
import { readSheetRows, type XlsxContext } from './xlsx-sheet.ts';
import { openZipArchive, type ZipMember } from './zip-archive.ts';

/**
 * The maximum size of a workbook, far above 200,000 movements. It is kept in memory, because its index is at
 * its end.
 */
const workbookSizeMax = 64 * 1024 * 1024;
const sheetSizeMax = 512 * 1024 * 1024;
const stringsSizeMax = 128 * 1024 * 1024;
const partSizeMax = 16 * 1024 * 1024;

type XlsxSheet = { name: string; member: ZipMember };

/**
 * Streams the non-blank rows of a worksheet, whose cells are converted to text. Formulas are not evaluated: their
 * stored value is read. Without `sheet`, the workbook must have only one sheet with movements.
 */
export async function* readXlsxRecords(
  source: AsyncIterable<Uint8Array>,
  {
    sheet: name,
    decimalMark = '.',
  }: { sheet?: string | undefined; decimalMark?: '.' | ',' | undefined } = {},
): AsyncGenerator<CsvRecord> {
  const workbook = await openWorkbook(source, decimalMark);
  yield* readRows(await chooseSheet(workbook, name), workbook.context);
}

/** Returns the names of the visible worksheets with movements or, if there are none, of the first visible one. */
export async function readXlsxSheetNames(source: AsyncIterable<Uint8Array>): Promise<string[]> {
  const { sheets, context } = await openWorkbook(source, '.');
  const found = await filterSheets(sheets, context);
  return (found.length > 0 ? found : sheets.slice(0, 1)).map(({ name }) => name);
}

type Workbook = { sheets: XlsxSheet[]; context: XlsxContext };

async function chooseSheet({ sheets, context }: Workbook, name: string | undefined): Promise<XlsxSheet> {
  const listNames = (list: XlsxSheet[]) =>
    list
      .map((sheet) => `"${sheet.name}"`)
      .join(', ')
      .slice(0, 300);
  if (name !== undefined) {
    const sheet = sheets.find((candidate) => candidate.name === name);
    if (sheet) return sheet;
    throw invalidStatementError(1, `the workbook has no sheet "${name}"; it has ${listNames(sheets)}`);
  }
  const [first] = sheets;
  if (sheets.length === 1) return first!;
  const found = await filterSheets(sheets, context);
  if (found.length <= 1) return found[0] ?? first!;
  throw invalidStatementError(
    1,
    `several sheets have movements: ${listNames(found)}; choose one as "sheet" of the mapping`,
  );
}

/** Returns the sheets in which a row has a date and an amount. */
async function filterSheets(sheets: XlsxSheet[], context: XlsxContext): Promise<XlsxSheet[]> {
  const found: XlsxSheet[] = [];
  for (const sheet of sheets) {
    for await (const { cells } of readRows(sheet, context)) {
      if (!cells.some(isDateCell) || !cells.some(isAmountCell)) continue;
      found.push(sheet);
      break;
    }
  }
  return found;
}

async function* readRows({ name, member }: XlsxSheet, context: XlsxContext): AsyncGenerator<CsvRecord> {
  try {
    yield* readSheetRows(member.read({ sizeMax: sheetSizeMax }), context);
  } catch (error) {
    throw nameDamage(error, `the sheet "${name}"`);
  }
}

async function openWorkbook(source: AsyncIterable<Uint8Array>, decimalMark: '.' | ','): Promise<Workbook> {
  const members = new Map(openZipArchive(await readAll(source)).map((member) => [member.name, member]));
  const sheets: { name: string; id: string }[] = [];
  let dateSystem: XlsxContext['dateSystem'] = '1900';
  await readPart(members, 'xl/workbook.xml', ({ name, attributes }) => {
    if (name === 'workbookPr' && /^(1|true)$/.test(attributes.get('date1904') ?? '')) dateSystem = '1904';
    if (name !== 'sheet' || (attributes.get('state') ?? 'visible') !== 'visible') return;
    const id = [...attributes].find(([key]) => /^\w+:id$/.test(key))?.[1] ?? '';
    sheets.push({ name: attributes.get('name') ?? '', id });
  });
  const targets = new Map<string, string>();
  await readPart(members, 'xl/_rels/workbook.xml.rels', ({ name, attributes }) => {
    if (name === 'Relationship') targets.set(attributes.get('Id') ?? '', attributes.get('Target') ?? '');
  });
  const found = sheets.flatMap(({ name, id }) => {
    const target = targets.get(id) ?? '';
    const member = members.get(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
    return member && /worksheets?\//i.test(target) ? [{ name, member }] : [];
  });
  if (found.length === 0) throw invalidStatementError(1, 'the workbook has no worksheet');
  const [sharedStrings, dateStyles] = [await readSharedStrings(members), await readDateStyles(members)];
  return { sheets: found, context: { sharedStrings, dateStyles, dateSystem, decimalMark } };
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > workbookSizeMax)
      throw invalidStatementError(
        1,
        `the workbook is larger than ${workbookSizeMax >> 20} MiB: save it as CSV`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readSharedStrings(members: Map<string, ZipMember>): Promise<string[]> {
  const strings: string[] = [];
  let text: string | undefined;
  let isText = false;
  let isPhonetic = false;
  await readPart(members, 'xl/sharedStrings.xml', {
    open: ({ name }) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text: (part) => {
      if (isText && text !== undefined) text += part;
    },
    close: (name) => {
      if (name === 'rPh') isPhonetic = false;
      if (name === 'si') strings.push(text ?? '');
      isText = false;
    },
  });
  return strings;
}

async function readDateStyles(members: Map<string, ZipMember>): Promise<boolean[]> {
  const codes = new Map<number, string>();
  const styles: boolean[] = [];
  let isCellFormat = false;
  await readPart(members, 'xl/styles.xml', ({ name, attributes }) => {
    const id = Number(attributes.get('numFmtId') ?? 0);
    if (name === 'numFmt') codes.set(id, attributes.get('formatCode') ?? '');
    if (name === 'cellXfs') isCellFormat = true;
    if (name === 'cellStyles' || name === 'dxfs') isCellFormat = false;
    if (name === 'xf' && isCellFormat) styles.push(isDateFormat(id, codes.get(id)));
  });
  return styles;
}

type PartHandler = Pick<XmlHandler, 'open' | 'text'> & { close(name: string): void };

/** Reads a part of the workbook; a missing part has no elements. */
async function readPart(
  members: Map<string, ZipMember>,
  path: string,
  handler: PartHandler | XmlHandler['open'],
): Promise<void> {
  const member = members.get(path);
  if (!member) return;
  const { open, text, close } =
    typeof handler === 'function' ? { open: handler, text() {}, close() {} } : handler;
  const names: string[] = [];
  const sizeMax = path.endsWith('sharedStrings.xml') ? stringsSizeMax : partSizeMax;
  try {
    const blocks = readXml(member.read({ sizeMax }), {
      open: (tag) => {
        names.push(tag.name);
        open(tag);
      },
      text,
      close: () => close(names.pop() ?? ''),
    });
    for await (const _ of blocks);
  } catch (error) {
    throw nameDamage(error, path);
  }
}

/** Replaces the line of an XML error, which means nothing to the reader of a workbook, by the part of the workbook. */
function nameDamage(error: unknown, part: string): unknown {
  return error instanceof InvalidStatement
    ? invalidStatementError(1, `${part} cannot be read: ${error.reason}`)
    : error;
}
