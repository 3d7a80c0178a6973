import { type CsvMapping, checkCsvMapping } from '../../src/statement/csv-mapping.ts';

/** Streams a file from memory in chunks of the given size, or of several sizes in turn. */
export async function* toChunks(
  content: string | Uint8Array,
  sizes: number | number[] = 16_384,
): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const sizeCycle = [sizes].flat();
  for (let offset = 0, index = 0; offset < bytes.length; index += 1) {
    const size = sizeCycle[index % sizeCycle.length]!;
    yield bytes.subarray(offset, offset + size);
    offset += size;
  }
}

/** Returns the mapping of a plain file, by default with the columns Date, Amount and Text. */
export function csvMapping(overrides: Partial<CsvMapping> = {}): CsvMapping {
  return checkCsvMapping({
    encoding: 'utf-8',
    delimiter: ',',
    skipLines: 0,
    hasHeader: true,
    footerRows: 0,
    decimalMark: '.',
    dateOrder: 'ymd',
    hasBuddhistYears: false,
    dateColumn: 'Date',
    amountFormat: 'signed',
    amountColumn: 'Amount',
    referenceColumns: [],
    ...overrides,
  });
}

/** Returns a statement with the given movements (fields 61 and 86). */
export const mt940Text = (movements: string, { account = '012-345678', currency = 'HKD' } = {}) =>
  [
    ':20:S1',
    `:25:${account}`,
    ':28C:1/1',
    `:60F:C261119${currency}0,`,
    movements,
    `:62F:C261120${currency}100,`,
    '-',
    '',
  ].join('\n');

/** Returns a statement in HKD whose closing balance is the sum of its movements. */
export function balancedMt940Text(movements: string, options: { account?: string } = {}): string {
  const sum = [...movements.matchAll(/^:61:\d{6}(?:\d{4})?(R?[CD])(\d+),(\d*)/gm)].reduce(
    (total, [, mark = '', whole, cents = '']) => {
      const minor = Number(`${whole}${cents.padEnd(2, '0')}`);
      return mark === 'C' || mark === 'RD' ? total + minor : total - minor;
    },
    0,
  );
  const closing = `${sum < 0 ? 'D' : 'C'}261120HKD${(Math.abs(sum) / 100).toFixed(2).replace('.', ',')}`;
  return mt940Text(movements, options).replace(/:62F:.*/, `:62F:${closing}`);
}

/** The message type, version and namespaces. */
type CamtShape = { message?: '052' | '053' | '054'; version?: number; prefix?: string; namespace?: string };

const elementNames = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

/** Returns a camt message with `entries` (XML without prefixes). `namespace: ''` omits the namespace. */
export function camtXml(entries: string, shape: CamtShape = {}): string {
  const { message = '053', version = 8, prefix = '' } = shape;
  const id = `camt.${message}.001.${String(version).padStart(2, '0')}`;
  const namespace = shape.namespace ?? `urn:iso:std:iso:20022:tech:xsd:${id}`;
  const [outer, inner] = elementNames[message];
  const namespaceAttribute = namespace === '' ? '' : ` xmlns${prefix && `:${prefix}`}="${namespace}"`;
  const body = [
    `<${outer}><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T18:00:00+08:00</CreDtTm></GrpHdr>`,
    `<${inner}><Id>S1</Id><Acct><Id><IBAN>HK00 1234 5678</IBAN></Id><Ccy>HKD</Ccy></Acct>`,
    entries,
    `</${inner}></${outer}>`,
  ].join('\n');
  const prefixed = prefix ? body.replaceAll(/<(\/?)(?=[A-Z])/g, `<$1${prefix}:`) : body;
  const document = prefix ? `${prefix}:Document` : 'Document';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${document}${namespaceAttribute}>\n${prefixed}\n</${document}>\n`;
}

/** Returns one `Ntry`; each part can be replaced by other XML. */
export function ntry(parts: Partial<Record<keyof typeof ntryParts, string>> = {}): string {
  return `<Ntry>\n${Object.values({ ...ntryParts, ...parts }).join('\n')}\n</Ntry>`;
}

const ntryParts = {
  amount: '<Amt Ccy="HKD">100.00</Amt>',
  direction: '<CdtDbtInd>CRDT</CdtDbtInd>',
  reversal: '',
  status: '<Sts><Cd>BOOK</Cd></Sts>',
  booked: '<BookgDt><Dt>2026-11-20</Dt></BookgDt>',
  value: '<ValDt><Dt>2026-11-21</Dt></ValDt>',
  reference: '<AcctSvcrRef>R1</AcctSvcrRef>',
  code: '<BkTxCd><Domn><Cd>PMNT</Cd></Domn></BkTxCd>',
  details: '',
  info: '',
};

type Booking = {
  amount?: string;
  direction?: 'CRDT' | 'DBIT';
  date?: string;
  reference?: string;
  text?: string;
  /** Replaces the text. */
  details?: string;
};

/** Returns an entry, by default of HKD 128.50 received on 17 November. */
export function booking({
  amount = '128.50',
  date = '2026-11-17',
  direction = 'CRDT',
  ...rest
}: Booking): string {
  return ntry({
    amount: `<Amt Ccy="HKD">${amount}</Amt>`,
    direction: `<CdtDbtInd>${direction}</CdtDbtInd>`,
    booked: `<BookgDt><Dt>${date}</Dt></BookgDt>`,
    value: '',
    reference: rest.reference === undefined ? '' : `<AcctSvcrRef>${rest.reference}</AcctSvcrRef>`,
    details: rest.details ?? details(`<RmtInf><Ustrd>${rest.text ?? ''}</Ustrd></RmtInf>`),
  });
}

/** Returns the bank's reversal of an entry. */
export function toReversal(entry: string): string {
  return entry.replace('CRDT', 'DBIT').replace('<Sts>', '<RvslInd>true</RvslInd><Sts>');
}

/** Returns `NtryDtls` with transactions given by their content. */
export function details(...transactions: string[]): string {
  return `<NtryDtls>\n${transactions.map((transaction) => `<TxDtls>\n${transaction}\n</TxDtls>`).join('\n')}\n</NtryDtls>`;
}

/** Returns the payer of a transaction. From version 8 on, parties are nested one level deeper. */
export function payer(name: string, iban: string, version = 8): string {
  const party = version >= 8 ? `<Pty><Nm>${name}</Nm></Pty>` : `<Nm>${name}</Nm>`;
  const account = `<Id><IBAN>${iban}</IBAN></Id>`;
  return `<RltdPties><Dbtr>${party}</Dbtr><DbtrAcct>${account}</DbtrAcct></RltdPties>`;
}
