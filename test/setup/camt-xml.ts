/** How a message is written down: which one, which version, which namespaces. */
export type CamtShape = { message?: '053' | '054'; version?: number; prefix?: string; namespace?: string };

const namesOf = { '053': ['BkToCstmrStmt', 'Stmt'], '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'] } as const;

/** A camt message around `entries` (XML without prefixes). `namespace: ''` writes none at all. */
export function camtXml(entries: string, shape: CamtShape = {}): string {
  const { message = '053', version = 8, prefix = '' } = shape;
  const id = `camt.${message}.001.${String(version).padStart(2, '0')}`;
  const namespace = shape.namespace ?? `urn:iso:std:iso:20022:tech:xsd:${id}`;
  const [outer, inner] = namesOf[message];
  const declared = namespace === '' ? '' : ` xmlns${prefix && `:${prefix}`}="${namespace}"`;
  const body = [
    `<${outer}><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T18:00:00+08:00</CreDtTm></GrpHdr>`,
    `<${inner}><Id>S1</Id><Acct><Id><IBAN>HK00 1234 5678</IBAN></Id><Ccy>HKD</Ccy></Acct>`,
    entries,
    `</${inner}></${outer}>`,
  ].join('\n');
  const prefixed = prefix ? body.replaceAll(/<(\/?)(?=[A-Z])/g, `<$1${prefix}:`) : body;
  const document = prefix ? `${prefix}:Document` : 'Document';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${document}${declared}>\n${prefixed}\n</${document}>\n`;
}

/** One `Ntry`; every part can be replaced by other XML. */
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
  on?: string;
  reference?: string;
  text?: string;
  /** Instead of the text: all its details. */
  inside?: string;
};

/** An entry for HKD 128.50 that came in on 17 November, unless said otherwise. */
export function booking({
  amount = '128.50',
  on = '2026-11-17',
  direction = 'CRDT',
  ...of
}: Booking): string {
  return ntry({
    amount: `<Amt Ccy="HKD">${amount}</Amt>`,
    direction: `<CdtDbtInd>${direction}</CdtDbtInd>`,
    booked: `<BookgDt><Dt>${on}</Dt></BookgDt>`,
    value: '',
    reference: of.reference === undefined ? '' : `<AcctSvcrRef>${of.reference}</AcctSvcrRef>`,
    details: of.inside ?? details(`<RmtInf><Ustrd>${of.text ?? ''}</Ustrd></RmtInf>`),
  });
}

/** `NtryDtls` around transactions given by their content. */
export function details(...transactions: string[]): string {
  return `<NtryDtls>\n${transactions.map((one) => `<TxDtls>\n${one}\n</TxDtls>`).join('\n')}\n</NtryDtls>`;
}

/** The payer of a transaction, in the form of the version: from 8 on parties stand one level deeper. */
export function payer(name: string, iban: string, version = 8): string {
  const party = version >= 8 ? `<Pty><Nm>${name}</Nm></Pty>` : `<Nm>${name}</Nm>`;
  const account = `<Id><IBAN>${iban}</IBAN></Id>`;
  return `<RltdPties><Dbtr>${party}</Dbtr><DbtrAcct>${account}</DbtrAcct></RltdPties>`;
}
