import { describe, expect, test } from 'vitest';
import { readStatement } from '../../src/statement/read-statement.ts';
import { booking, camtXml, details, mt940Text, toChunks } from '../setup/statement-files.ts';

const reference = 'ZEBU23456Y';

/** Whether matching finds the payment reference in the only entry of a file. */
async function isSearched(content: string): Promise<boolean> {
  const [entry] = await Array.fromAsync(readStatement(toChunks(content)));
  const { additionalInfo, counterpartyName, otherTexts = [] } = entry!;
  return [entry!.reference, additionalInfo, counterpartyName, ...otherTexts].join(' ').includes(reference);
}

const slashCodes = [
  ...['ACCW', 'ADDR', 'CHGS', 'CREF', 'CSID', 'EREF', 'EXCH', 'ID', 'IREF', 'ISDT', 'MARF', 'OCMT'],
  ...['PREF', 'PURP', 'REMI', 'RTRN', 'SVCL', 'TRCD', 'ULTB', 'ULTD', 'XYZQ'],
];
const plusCodes = [
  'ABWA',
  'ABWE',
  'BIC',
  'COAM',
  'CRED',
  'DEBT',
  'EREF',
  'IBAN',
  'KREF',
  'MREF',
  'OAMT',
  'PURP',
];
const subfields = Array.from({ length: 64 }, (_, number) => String(number).padStart(2, '0'));

describe('The search for the payment reference in MT940', () => {
  test.each([
    ...slashCodes.map((code) => `/TRTP/FPS/${code}/${reference}/NAME/ADA`),
    ...slashCodes.map((code) => `/TRTP/FPS/${code}/USD12,00\n${reference} RENT`),
    ...plusCodes.map((code) => `SVWZ+RENT ${code}+${reference}`),
    ...plusCodes.map((code) => `166?00FPS?20SVWZ+RENT?21${code}+${reference}`),
    ...subfields.map((number) => `166?00FPS?20RENT?${number}${reference}`),
  ])('finds it in field 86: %j', async (info) => {
    expect(await isSearched(mt940Text(`:61:261120C1,NTRFNONREF\n:86:${info}`))).toBe(true);
  });

  test.each([`NTRF${reference}`, `NTRFNONREF//${reference}`, `NTRFNONREF//B1\n${reference}`])(
    'finds it in field 61: %j',
    async (text) => {
      expect(await isSearched(mt940Text(`:61:261120C1,${text}\n:86:RENT`))).toBe(true);
    },
  );
});

describe('The search for the payment reference in camt', () => {
  const inElements = (path: string) => {
    const names = path.split('/');
    const closing = names.toReversed().map((name) => `</${name}>`);
    return `${names.map((name) => `<${name}>`).join('')}${reference}${closing.join('')}`;
  };

  test.each([
    ...['MsgId', 'AcctSvcrRef', 'PmtInfId', 'InstrId', 'EndToEndId', 'UETR', 'TxId', 'MndtId', 'ChqNb'].map(
      (name) => `Refs/${name}`,
    ),
    ...['ClrSysRef', 'AcctOwnrTxId', 'MktInfrstrctrTxId', 'Prtry/Ref'].map((name) => `Refs/${name}`),
    ...['CdtrRefInf/Ref', 'AddtlRmtInf', 'RfrdDocInf/Nb', 'Invcee/Nm'].map((name) => `RmtInf/Strd/${name}`),
    ...['RmtInf/Ustrd', 'RltdRmtInf/RmtId', 'AddtlTxInf', 'Purp/Cd', 'Purp/Prtry', 'LclInstrm/Prtry'],
    ...['Dbtr/Nm', 'UltmtDbtr/Nm', 'Cdtr/Nm', 'UltmtCdtr/Pty/Nm', 'DbtrAcct/Id/Othr/Id', 'DbtrAcct/Nm'].map(
      (name) => `RltdPties/${name}`,
    ),
  ])('finds it in %s', async (path) => {
    const entry = booking({ reference: 'B1', details: details(inElements(path)) });
    expect(await isSearched(camtXml(entry))).toBe(true);
  });
});
