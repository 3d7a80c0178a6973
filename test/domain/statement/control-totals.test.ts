import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { findStatementGaps } from '../../../src/domain/money-in/reconciliation/find-statement-gaps.ts';
import { cancelStatement } from '../../../src/domain/money-in/statement/cancel-statement.ts';
import {
  confirmStatement,
  getDiscrepancies,
} from '../../../src/domain/money-in/statement/confirm-statement.ts';
import { runImport } from '../../../src/domain/money-in/statement/import/run-import.ts';
import { claimStatement } from '../../../src/domain/money-in/statement/transition-statement.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { doneOrCode } from '../../setup/errors.ts';
import { getNonZeroCounts, importFile as importWhole } from '../../setup/import-file.ts';
import { checkedTest as test } from '../../setup/invariants.ts';
import { noon, seedCharge } from '../../setup/seed.ts';
import { booking, camtXml, csvMapping, mt940Text } from '../../setup/statement-files.ts';

const importContent = (
  service: Service,
  merchant: NewMerchant,
  { receivingAccountId }: Pick<Charge, 'receivingAccountId'>,
  content: string,
  mapping?: object,
) => importWhole(service, merchant, { content, receivingAccountId, mapping, now: noon });

const balance = (type: string, amount: string, on: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="HKD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${on}</Dt></Dt></Bal>`;

/** A statement of one day with one credit. */
const dayXml = (on: string, [opening, amount, closing]: [string, string, string], text = 'x') =>
  camtXml(
    balance('OPBD', opening, on) +
      balance('CLBD', closing, on) +
      booking({ amount, date: on, reference: `R${on}`, text }),
  );

const decide = (merchant: NewMerchant, id: string) => ({
  merchantId: merchant.merchant.id,
  mode: 'live' as const,
  id,
  audit: { actor: 'user:ada', now: noon },
  now: noon,
});

describe('A statement that adds up', () => {
  test('is imported immediately, with its balances', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const content = dayXml('2026-11-17', ['10.00', '128.50', '138.50'], charge.paymentReference);
    const statement = await importContent(service, merchant, charge, content);
    expect(getNonZeroCounts(statement)).toEqual({ matched: 1 });
    expect(statement).toMatchObject({
      status: 'completed',
      discrepancies: null,
      control: {
        accounts: ['HK0012345678'],
        spans: [{ opening: '1000', openingOn: '2026-11-17', closing: '13850', closingOn: '2026-11-17' }],
      },
    });
  });
});

describe('A statement that does not add up', () => {
  test('waits for a confirmation with nothing recorded, and shows the difference', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const content = dayXml('2026-11-17', ['10.00', '128.50', '999.00'], charge.paymentReference);
    const held = await importContent(service, merchant, charge, content);
    expect(held).toMatchObject({ status: 'awaiting_confirmation', recordedCount: 0, leasedUntil: null });
    expect(getDiscrepancies(held)).toMatchObject({
      count: 1,
      items: [{ kind: 'closing_balance', expected: '99900', actual: '13850', currency: 'HKD' }],
    });
    // Neither a worker nor another import of the file continues the import.
    expect(await claimStatement(service, { id: held.id, systemNow: noon })).toBeUndefined();
    expect(await service.prisma.transfer.count({ where: { statementId: held.id } })).toBe(0);

    const confirmed = await confirmStatement(service, decide(merchant, held.id));
    expect(confirmed).toMatchObject({ status: 'queued', confirmedBy: 'user:ada', confirmedAt: noon });
    expect(await doneOrCode(confirmStatement(service, decide(merchant, held.id)))).toBe(
      'statement_not_awaiting_confirmation',
    );
    const claimed = await claimStatement(service, { id: held.id, systemNow: noon });
    const done = await runImport(service, {
      statement: claimed!,
      clock: { now: () => noon },
    });
    expect([done.status, getNonZeroCounts(done)]).toEqual(['completed', { matched: 1 }]);
  });

  test('can be cancelled, and records nothing', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const content = dayXml('2026-11-17', ['10.00', '128.50', '1.00'], charge.paymentReference);
    const held = await importContent(service, merchant, charge, content);
    const cancelled = await cancelStatement(service, decide(merchant, held.id));
    expect(cancelled).toMatchObject({ status: 'cancelled', finishedAt: noon });
    expect(await doneOrCode(confirmStatement(service, decide(merchant, held.id)))).toBe(
      'statement_not_awaiting_confirmation',
    );
  });

  test.for<[name: string, content: string, expected: object[]]>([
    [
      'an entry that is missing although the bank counts it',
      camtXml(
        `<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries><Sum>200</Sum></TtlNtries></TxsSummry>${booking({ amount: '100', reference: 'R1' })}`,
      ),
      [
        { kind: 'entry_count', expected: '2', actual: '1' },
        { kind: 'entry_sum', expected: '20000', actual: '10000' },
      ],
    ],
    [
      'a first page without the second',
      mt940Text(':61:261120C100,NTRFNONREF').replace(':62F:', ':62M:'),
      [{ kind: 'page_missing', expected: '2', actual: '' }],
    ],
    [
      'a second page without the first',
      mt940Text(':61:261120C100,NTRFNONREF').replace(':60F:', ':60M:'),
      [{ kind: 'page_missing', expected: '1', actual: '1' }],
    ],
    [
      'a statement in another currency',
      mt940Text(':61:261120C100,NTRFNONREF', { currency: 'EUR' }),
      [{ kind: 'currency_mismatch', expected: 'HKD', actual: 'EUR' }],
    ],
  ])('is reported: %s', async ([, content, expected], { service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const held = await importContent(service, merchant, charge, content);
    expect(held.status).toBe('awaiting_confirmation');
    expect(getDiscrepancies(held).items).toMatchObject(expected);
  });
});

describe('A trailer of a BAI2 file', () => {
  test('is compared with the whole file, also if one of its accounts is recorded', async ({
    service,
    merchant,
  }) => {
    const { receivingAccountId } = await seedCharge(service, merchant);
    const file = new URL('../../fixtures/statements/bai2/hk-two-accounts.bai', import.meta.url);
    const whole = await readFile(file, 'utf8');
    const importAccount = (content: string) =>
      importWhole(service, merchant, {
        content,
        receivingAccountId,
        fileAccount: '012345678001',
        now: noon,
      });
    const held = await importAccount(whole.replace('99,261550,1,15/', '99,261550,2,15/'));
    expect(held).toMatchObject({ status: 'awaiting_confirmation', recordedCount: 0 });
    expect(getDiscrepancies(held)).toEqual({
      count: 1,
      items: [{ kind: 'group_count', line: 14, expected: '2', actual: '1' }],
    });
    expect((await importAccount(whole)).status).toBe('completed');
  });
});

describe('A statement of another account', () => {
  test('waits, whether the account is known from an earlier statement or belongs to another receiving account', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const inBank = await seedCharge(service, merchant, { input: { method: 'hk-bank-transfer' } });
    const other = await seedCharge(service, merchant, { input: { method: 'paynow' } });
    const first = await importContent(service, merchant, charge, camtXml(booking({ reference: 'R1' })));
    expect(first.status).toBe('completed');
    const foreign = camtXml(booking({ reference: 'R2' })).replace('HK00 1234 5678', 'HK99 8888 7777');
    const held = await importContent(service, merchant, charge, foreign);
    expect(getDiscrepancies(held).items).toMatchObject([
      { kind: 'account_mismatch', expected: 'HK0012345678', actual: 'HK9988887777' },
    ]);
    const misplaced = await importContent(service, merchant, other, camtXml(booking({ reference: 'R3' })));
    expect(getDiscrepancies(misplaced).items).toMatchObject([
      { kind: 'account_mismatch', actual: 'HK0012345678' },
      { kind: 'currency_mismatch', expected: 'SGD', actual: 'HKD' },
    ]);
    // The number of a bank account is known without a statement.
    const unknown = await importContent(service, merchant, inBank, camtXml(booking({ reference: 'R4' })));
    expect(getDiscrepancies(unknown).items).toMatchObject([{ kind: 'account_mismatch' }]);
  });
});

describe('A table with a balance column', () => {
  const mapping = csvMapping({ referenceColumns: ['Text'], balanceColumn: 'Balance' });
  const rows = [
    '2026-11-16,10,a,110',
    '2026-11-16,-30,b,',
    '2026-11-17,128.50,c,208.50',
    '2026-11-17,1,d,209.50',
  ];
  const table = (lines: string[]) => `Date,Amount,Text,Balance\n${lines.join('\n')}\n`;

  test.for([
    ['oldest first', rows],
    ['newest first', rows.toReversed()],
  ] as const)('is imported if every row adds up, with the %s', async ([, lines], { service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const statement = await importContent(service, merchant, charge, table([...lines]), mapping);
    expect(statement).toMatchObject({
      status: 'completed',
      control: { spans: [{ opening: '10000', closing: '20950' }] },
    });
  });

  test('waits if a row is missing or was changed, and names its line', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const without = rows.filter((row) => !row.includes('-30'));
    const held = await importContent(service, merchant, charge, table(without), mapping);
    expect(getDiscrepancies(held).items).toMatchObject([
      { kind: 'closing_balance', expected: '20950', actual: '23950' },
      { kind: 'running_balance', line: 3, expected: '23850', actual: '20850', currency: 'HKD' },
    ]);
  });
});

describe('Consecutive statements', () => {
  const monday = dayXml('2026-11-16', ['0.00', '10.00', '10.00']);
  const tuesday = dayXml('2026-11-17', ['10.00', '5.00', '15.00']);
  const wednesday = dayXml('2026-11-18', ['15.00', '1.00', '16.00']);
  const range = (merchant: NewMerchant) => ({
    merchantId: merchant.merchant.id,
    mode: 'live' as const,
    from: '2026-11-01',
    to: '2026-11-30',
  });

  test('agree, also if they are imported again or in another order', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    for (const content of [tuesday, wednesday, monday, `${tuesday}\n`]) {
      const statement = await importContent(service, merchant, charge, content);
      expect(statement.status).toBe('completed');
    }
    expect(await findStatementGaps(service, range(merchant))).toEqual([]);
  });

  test('with a missing day wait for a confirmation, and the gap is listed until the day is imported', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const first = await importContent(service, merchant, charge, monday);
    const held = await importContent(service, merchant, charge, wednesday);
    expect(getDiscrepancies(held).items).toMatchObject([
      { kind: 'continuity', expected: '1000', actual: '1500', currency: 'HKD' },
    ]);
    expect(await findStatementGaps(service, range(merchant))).toEqual([]);
    await confirmStatement(service, decide(merchant, held.id));
    const claimed = await claimStatement(service, { id: held.id, systemNow: noon });
    await runImport(service, { statement: claimed!, clock: { now: () => noon } });
    expect(await findStatementGaps(service, range(merchant))).toMatchObject([
      {
        currency: 'HKD',
        previous: { statementId: first.id, closing: '1000', closingOn: '2026-11-16' },
        next: { statementId: held.id, opening: '1500', openingOn: '2026-11-18' },
      },
    ]);
    expect((await importContent(service, merchant, charge, tuesday)).status).toBe('completed');
    expect(await findStatementGaps(service, range(merchant))).toEqual([]);
  });

  test('in OFX are compared by the balance before their first day', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const toOfx = ([from, to]: [string, string], amounts: Record<string, string>, closing: string) => {
      const transactions = Object.entries(amounts).map(
        ([day, amount]) => `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${day}</STMTTRN>`,
      );
      return `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>HKD<BANKACCTFROM><ACCTID>012345678</BANKACCTFROM><BANKTRANLIST><DTSTART>${from}<DTEND>${to}${transactions.join('')}</BANKTRANLIST><LEDGERBAL><BALAMT>${closing}<DTASOF>${to}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
    };
    const importOfx = (...file: Parameters<typeof toOfx>) =>
      importContent(service, merchant, charge, toOfx(...file));
    const first = await importOfx(['20261110', '20261111'], { 20261110: '10', 20261111: '5' }, '15');
    const overlapping = await importOfx(['20261111', '20261112'], { 20261111: '5', 20261112: '1' }, '16');
    const next = await importOfx(['20261113', '20261113'], { 20261113: '2' }, '18');
    expect([first.status, overlapping.status, next.status]).toEqual(Array(3).fill('completed'));
    // The movement of 14 November is missing.
    const held = await importOfx(['20261115', '20261116'], { 20261115: '4' }, '25');
    expect(getDiscrepancies(held).items).toMatchObject([
      { kind: 'continuity', expected: '1800', actual: '2100', currency: 'HKD' },
    ]);
  });
});
