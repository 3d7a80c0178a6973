import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import type { Charge, Statement } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import type { StatementDiscrepancies } from '../../../src/domain/money-in/statement/check-statement.ts';
import { chooseFileAccount } from '../../../src/domain/money-in/statement/file-account.ts';
import { listPendingEntries } from '../../../src/domain/money-in/statement/preview/list-pending-entries.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { getNonZeroCounts, getReceivedAmount, importFile as importWhole } from '../../setup/import-file.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { noon, readChargeStatus, seedCharge } from '../../setup/seed.ts';
import {
  balancedMt940Text,
  booking,
  camtXml,
  csvMapping,
  details,
  ntry,
} from '../../setup/statement-files.ts';
import { undo } from '../../setup/undo.ts';
import { zip, zipFile } from '../../setup/zip-files.ts';

const importFile = (
  service: Service,
  merchant: NewMerchant,
  charge: Charge,
  content: string | Uint8Array,
  fileAccount?: string,
): Promise<Statement> =>
  importWhole(service, merchant, {
    content,
    receivingAccountId: charge.receivingAccountId,
    now: noon,
    ...(fileAccount !== undefined && { fileAccount }),
  });

const readStatuses = async (service: Service, { id: statementId }: Statement) =>
  (await service.prisma.transfer.findMany({ where: { statementId } })).map(({ status }) => status);

const credit = (reference: string, text: string) => booking({ reference, text });

describe('interim reports', () => {
  const mt942 = (reference: string) =>
    `:20:R1\n:25:012-345678\n:28C:1/1\n:34F:HKD0,\n:61:261117C128,50NTRFNONREF//R1\n:86:${reference}\n:90C:1HKD128,50\n-\n`;

  test.for([
    ['camt.052', (reference: string) => camtXml(credit('R1', reference), { message: '052' })],
    ['mt942', mt942],
  ] as const)(
    '%s completes no charge until the statement is imported',
    async ([format, toReport], { service, merchant }) => {
      const charge = await seedCharge(service, merchant);
      const report = await importFile(service, merchant, charge, toReport(charge.paymentReference));
      expect(report).toMatchObject({ status: 'completed', format, entryCount: 1 });
      expect(getNonZeroCounts(report)).toEqual({ ignored: 1 });
      expect(await readChargeStatus(service, charge)).toBe('pending');
      const statement = camtXml(credit('R1', charge.paymentReference));
      expect(getNonZeroCounts(await importFile(service, merchant, charge, statement))).toEqual({
        matched: 1,
      });
      expect(await readChargeStatus(service, charge)).toBe('completed');
    },
  );
});

describe('an entry that is not booked yet', () => {
  const readPending = async ({ prisma, ...service }: Service, { id }: Statement) => {
    const include = { receivingAccount: true };
    const statement = await prisma.statement.findUniqueOrThrow({ where: { id }, include });
    const pending = await listPendingEntries({ prisma, ...service }, statement);
    return pending.map(({ entry, transferId }) => [entry.reference, transferId]);
  };
  const report = (...entries: string[]) => camtXml(entries.join(''), { message: '052' });

  test('is final when its booking is reported under another reference, or with the text alone', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const { paymentReference } = charge;
    const interim = await importFile(
      service,
      merchant,
      charge,
      report(credit('R1', paymentReference), credit('R2', 'other'), booking({ text: 'without reference' })),
    );
    expect(await readPending(service, interim)).toEqual([
      [paymentReference, undefined],
      ['other', undefined],
      ['without reference', undefined],
    ]);
    const movements = `:61:2611171117C128,50NTRFNONREF//M1\n:86:${paymentReference}\n:61:261117C128,50NTRFNONREF\n:86:without reference`;
    const booked = await importFile(service, merchant, charge, balancedMt940Text(movements));
    const transfers = await service.prisma.transfer.findMany({ where: { statementId: booked.id } });
    const findId = (text: string) => transfers.find(({ reference }) => reference.includes(text))!.id;
    expect(await readPending(service, interim)).toEqual([
      [paymentReference, findId(paymentReference)],
      ['other', undefined],
      ['without reference', findId('without')],
    ]);
    await undo(service, merchant, booked);
    expect((await readPending(service, interim)).map(([, transferId]) => transferId)).toEqual(
      Array(3).fill(undefined),
    );
  });

  test('is listed without booked entries and information', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importFile(
      service,
      merchant,
      charge,
      camtXml(
        ntry({ status: '<Sts><Cd>INFO</Cd></Sts>' }) +
          ntry({ reference: '<AcctSvcrRef>B1</AcctSvcrRef>' }) +
          ntry({
            status: '<Sts><Cd>FUTR</Cd></Sts>',
            details: details('<RmtInf><Ustrd>due</Ustrd></RmtInf>'),
          }),
      ),
    );
    expect(await readPending(service, statement)).toEqual([['due', undefined]]);
  });
});

describe('the details of a batch booking in a notification', () => {
  const booked = '<BookgDt><Dt>2026-11-17</Dt></BookgDt>';
  const batch = camtXml(
    ntry({
      booked,
      amount: '<Amt Ccy="HKD">178.50</Amt>',
      reference: '<AcctSvcrRef>BATCH</AcctSvcrRef>',
      details: '<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch></NtryDtls>',
    }),
  );
  const part = (amount: string, text: string) =>
    `<Amt Ccy="HKD">${amount}</Amt><RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  const notification = (reference: string, amounts = ['128.50', '50.00']) =>
    camtXml(
      ntry({
        amount: '<Amt Ccy="HKD">178.50</Amt>',
        booked,
        status: '<Sts><Cd>INFO</Cd></Sts>',
        reference: '<AcctSvcrRef>BATCH</AcctSvcrRef>',
        details: details(part(amounts[0]!, reference), part(amounts[1]!, 'other')),
      }),
      { message: '054' },
    );

  test('are recorded, and replace the booking', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importFile(service, merchant, charge, batch);
    expect(getNonZeroCounts(statement)).toEqual({ exception: 1 });
    const parts = await importFile(service, merchant, charge, notification(charge.paymentReference));
    expect(getNonZeroCounts(parts)).toEqual({ matched: 1, exception: 1 });
    expect(await readChargeStatus(service, charge)).toBe('completed');
    const booking = await service.prisma.transfer.findFirstOrThrow({ where: { statementId: statement.id } });
    expect(booking.status).toBe('duplicate');
  });

  test('are recorded as soon as a later statement has the booking, and replace it', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const early = await importFile(service, merchant, charge, notification(charge.paymentReference));
    expect(getNonZeroCounts(early)).toEqual({ ignored: 2 });
    const statement = await importFile(service, merchant, charge, batch);
    expect(getNonZeroCounts(statement)).toEqual({ exception: 1 });
    expect(await readChargeStatus(service, charge)).toBe('completed');
    expect(await readStatuses(service, statement)).toEqual(['duplicate']);
    const applied = await service.prisma.statement.findUniqueOrThrow({ where: { id: early.id } });
    expect(getNonZeroCounts(applied)).toEqual({ matched: 1, exception: 1 });
    // A later statement with the same booking changes nothing.
    const again = await importFile(service, merchant, charge, `${batch}\n`);
    expect(getNonZeroCounts(again)).toEqual({ duplicate: 1 });
    expect(await getReceivedAmount(service, charge)).toBe(12_850n);
  });

  test('are undone with the notification, and the booking needs review again', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const early = await importFile(service, merchant, charge, notification(charge.paymentReference));
    const statement = await importFile(service, merchant, charge, batch);
    await undo(service, merchant, early);
    expect(await readStatuses(service, statement)).toEqual(['exception']);
    expect(await getReceivedAmount(service, charge)).toBe(0n);
  });

  test.for([
    ['before', 0],
    ['after', 1],
  ] as const)('may be %s the booking in an archive', async ([, at], { service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const files = [zipFile('statement.xml', batch)];
    files.splice(at, 0, zipFile('notification.xml', notification(charge.paymentReference)));
    const statement = await importFile(service, merchant, charge, zip(...files));
    expect(getNonZeroCounts(statement)).toEqual({ matched: 1, exception: 2 });
    expect((await readStatuses(service, statement)).sort()).toEqual(['duplicate', 'exception', 'matched']);
  });

  test('are not recorded without the booking, or if they do not add up to it', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const early = await importFile(service, merchant, charge, notification(charge.paymentReference));
    expect(getNonZeroCounts(early)).toEqual({ ignored: 2 });
    await importFile(service, merchant, charge, batch.replace('178.50', '179.50'));
    const other = `${notification(charge.paymentReference)}\n`;
    expect(getNonZeroCounts(await importFile(service, merchant, charge, other))).toEqual({ ignored: 2 });
    expect(await readChargeStatus(service, charge)).toBe('pending');
  });
});

describe('compressed files', () => {
  test('are imported like the file in them', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const file = gzipSync(camtXml(credit('R1', charge.paymentReference)));
    expect(getNonZeroCounts(await importFile(service, merchant, charge, file))).toEqual({ matched: 1 });
  });

  test('may contain an entry in several files, which is recorded once', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const { paymentReference } = charge;
    const withoutReference = (text: string) => `:61:261117C1,NTRFNONREF\n:86:${text}`;
    const paid = `:61:261117C128,50NTRFNONREF\n:86:${paymentReference}`;
    const archive = zip(
      zipFile('1.sta', balancedMt940Text(`${paid}\n${withoutReference('same')}`)),
      zipFile(
        '2.sta',
        balancedMt940Text(`${withoutReference('same')}\n${withoutReference('same')}\n${paid}`),
      ),
    );
    const statement = await importFile(service, merchant, charge, archive);
    expect(statement).toMatchObject({ status: 'completed', format: 'mt940', entryCount: 5 });
    // The second file has one more equal line than the first.
    expect(getNonZeroCounts(statement)).toEqual({ matched: 1, exception: 2, duplicate: 2 });
    expect(await getReceivedAmount(service, charge)).toBe(12_850n);
  });
});

describe('an archive with the pages of one statement', () => {
  const movement = ':61:261117C1,NTRFNONREF\n:86:same';
  const page = (number: number, [opening, closing]: [string, string]) =>
    [
      ...[':20:S1', ':25:012-345678', `:28C:7/${number}`, `:60${opening}`],
      ...[movement, `:62${closing}`, '-', ''],
    ].join('\n');
  const first = page(1, ['F:C261116HKD0,', 'M:C261117HKD1,']);
  const middle = page(2, ['M:C261117HKD1,', 'M:C261117HKD2,']);
  const last = page(3, ['M:C261117HKD2,', 'F:C261117HKD3,']);
  const next = page(1, ['F:C261117HKD3,', 'F:C261118HKD4,']).replaceAll('261117C1', '261118C1');

  test.for([
    ['in their order', [first, middle, last]],
    ['in another order', [last, first, middle]],
    ['with another statement between them', [first, next, middle, last]],
  ] as const)('%s is recorded whole', async ([, pages], { service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const archive = zip(...pages.map((content, index) => zipFile(`${index}.sta`, content)));
    const statement = await importFile(service, merchant, charge, archive);
    expect([statement.status, statement.discrepancies]).toEqual(['completed', null]);
    expect(getNonZeroCounts(statement)).toEqual({ exception: pages.length });
  });

  test('without one of them waits for a confirmation', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const archive = zip(zipFile('1.sta', first), zipFile('3.sta', last));
    const { status, discrepancies } = await importFile(service, merchant, charge, archive);
    expect([status, (discrepancies as StatementDiscrepancies).items.map(({ kind }) => kind)]).toEqual([
      'awaiting_confirmation',
      expect.arrayContaining(['continuity']),
    ]);
  });
});

describe('a file of several accounts', () => {
  const file = (own: string, reference: string) =>
    balancedMt940Text(':61:261117C128,50NTRFNONREF//R1\n:86:other', { account: '999-111111' }) +
    balancedMt940Text(`:61:261117C128,50NTRFNONREF//R2\n:86:${reference}`, { account: own });

  const readOwnAccount = async (service: Service, { receivingAccountId: id }: Charge) =>
    (await service.prisma.receivingAccount.findUniqueOrThrow({ where: { id } })).account;

  test('is recorded only as far as it is of the receiving account', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const own = await readOwnAccount(service, charge);
    const statement = await importFile(
      service,
      merchant,
      charge,
      file(`024-${own}`, charge.paymentReference),
    );
    expect(statement).toMatchObject({ status: 'completed', fileAccount: `024-${own}` });
    expect(getNonZeroCounts(statement)).toEqual({ matched: 1, ignored: 1 });
  });

  test('needs a choice if no account has the number of the receiving account', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const content = file('888-222222', charge.paymentReference);
    expect(await importFile(service, merchant, charge, content)).toMatchObject({
      status: 'failed',
      failureReason:
        'the file contains several accounts (999-111111, 888-222222); choose the one that is this receiving account (fileAccount)',
    });
    const chosen = await importFile(service, merchant, charge, content, '888-222222');
    expect(getNonZeroCounts(chosen)).toEqual({ matched: 1, ignored: 1 });
    expect(await importFile(service, merchant, charge, content, '777')).toMatchObject({
      status: 'failed',
      failureReason: 'the file has no entries of the account 777; its accounts: 999-111111, 888-222222',
    });
  });

  test.for([
    [['012-345678-001', '999'], '012345678001', '012-345678-001'],
    [['06-0123-0456789-00', '999'], '0456789-00', '06-0123-0456789-00'],
    [['DE89370400440532013000', '999'], '0532013000', 'DE89370400440532013000'],
    [['12345', '99912345'], '12345', '12345'],
  ] as const)('%o of %s is %s', ([accounts, ownAccount, expected]) => {
    expect(chooseFileAccount(new Set(accounts), { ownAccount, chosen: null })).toEqual({
      fileAccount: expected,
    });
  });

  test('cannot be recorded if a statement in it does not name its account', () => {
    expect(chooseFileAccount(new Set(['1', undefined]), { ownAccount: '1', chosen: null })).toEqual({
      error: 'some entries of this file do not name their account',
    });
  });

  test('may be a table with a column of account numbers', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const mapping = csvMapping({
      referenceColumns: ['Text'],
      accountColumn: 'Account',
      balanceColumn: 'Balance',
    });
    const importTable = (rows: string[], fileAccount?: string) =>
      importWhole(service, merchant, {
        content: `Account,Date,Amount,Text,Balance\n${rows.join('\n')}\n`,
        receivingAccountId: charge.receivingAccountId,
        mapping,
        now: noon,
        ...(fileAccount !== undefined && { fileAccount }),
      });
    const rows = [
      '999-111111,2026-11-17,7,other,107',
      `888-222222,2026-11-17,128.50,${charge.paymentReference},128.50`,
      '999-111111,2026-11-17,8,other,115',
      '888-222222,2026-11-17,1,other,129.50',
    ];
    expect(await importTable(rows)).toMatchObject({
      status: 'failed',
      failureReason:
        'the file contains several accounts (999-111111, 888-222222); choose the one that is this receiving account (fileAccount)',
    });
    // The balances of each account are checked separately.
    const chosen = await importTable(rows, '888-222222');
    expect(getNonZeroCounts(chosen)).toEqual({ matched: 1, exception: 1, ignored: 2 });
    expect(chosen.control).toMatchObject({
      accounts: ['888-222222'],
      spans: [{ accountId: '888-222222', opening: '0', closing: '12950' }],
    });
    const misplaced = await importTable(rows.filter((row) => row.startsWith('999')));
    expect(misplaced.status).toBe('awaiting_confirmation');
    expect((misplaced.discrepancies as StatementDiscrepancies).items).toMatchObject([
      { kind: 'account_mismatch', line: 2, expected: '888-222222', actual: '999-111111' },
    ]);
    const unnamed = await importTable([...rows.slice(1, 2), ',2026-11-17,9,other,']);
    expect(unnamed).toMatchObject({
      status: 'failed',
      failureReason: 'some entries of this file do not name their account',
    });
  });

  test('may be a table that names the account above its header', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const own = '012-345678-001';
    const table = (account: string, amount: string, closing = amount) =>
      `Account Number:,${account}\nOpening Balance,0.00\nDate,Amount,Text\n2026-11-17,${amount},x\nClosing Balance,${closing},\n`;
    const importTable = (content: string | Uint8Array, fileAccount?: string) =>
      importWhole(service, merchant, {
        content,
        receivingAccountId: charge.receivingAccountId,
        mapping: csvMapping({ skipLines: 2 }),
        now: noon,
        ...(fileAccount !== undefined && { fileAccount }),
      });
    const readDifferences = (statement: Statement) => [
      statement.status,
      (statement.discrepancies as StatementDiscrepancies | null)?.items ?? [],
    ];
    // The first statement shows which account it is.
    expect(readDifferences(await importTable(table(own, '8.00')))).toEqual(['completed', []]);
    const misplaced = await importTable(table('999-111111', '1.00'));
    expect(readDifferences(misplaced)).toMatchObject([
      'awaiting_confirmation',
      [{ kind: 'account_mismatch', line: 1, expected: own, actual: '999-111111' }],
    ]);
    const masked = await importTable(table('****8001', '2.00'));
    expect(readDifferences(masked)).toEqual(['completed', []]);
    const otherMask = await importTable(table('****0001', '3.00'));
    expect(readDifferences(otherMask)).toMatchObject([
      'awaiting_confirmation',
      [{ kind: 'account_mismatch', actual: '****0001' }],
    ]);
    const incomplete = await importTable(table(own, '4.00', '5.00'));
    expect(readDifferences(incomplete)).toMatchObject([
      'awaiting_confirmation',
      [{ kind: 'closing_balance', expected: '500', actual: '400' }],
    ]);
    // In an archive with tables of several accounts, only the entries of one are recorded.
    const archive = zip(zipFile('a.csv', table('999-111111', '6.00')), zipFile('b.csv', table(own, '7.00')));
    const recorded = await importTable(archive, own);
    expect(getNonZeroCounts(recorded)).toEqual({ exception: 1, ignored: 1 });
  });
});
