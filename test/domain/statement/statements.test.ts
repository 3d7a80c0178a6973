import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { Charge, Statement } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { runImport } from '../../../src/domain/money-in/statement/import/run-import.ts';
import { startImporter } from '../../../src/domain/money-in/statement/import/start-importer.ts';
import {
  claimStatement,
  LeaseLostError,
} from '../../../src/domain/money-in/statement/transition-statement.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { readUpload } from '../../../src/domain/platform/upload/read-upload.ts';
import type { WorkSlots } from '../../../src/kit/work-slots.ts';
import { count } from '../../setup/counts.ts';
import {
  csvLines,
  getNonZeroCounts,
  getReceivedAmount,
  importFile as importWhole,
  queueFile,
} from '../../setup/import-file.ts';
import { expectInvariants, checkedTest as test } from '../../setup/invariants.ts';
import { retireAccounts } from '../../setup/receiving-accounts.ts';
import { minutesAfter, noon, readChargeStatus, seedCharge, seedMerchant } from '../../setup/seed.ts';
import {
  balancedMt940Text,
  booking,
  camtXml,
  csvMapping,
  details,
  toReversal,
} from '../../setup/statement-files.ts';

const queue = (
  service: Service,
  merchant: NewMerchant,
  charge: Charge,
  content: string,
  mapping?: object,
  now = noon,
) => queueFile(service, merchant, { content, receivingAccountId: charge.receivingAccountId, mapping, now });

const importFile = (
  service: Service,
  merchant: NewMerchant,
  charge: Charge,
  content: string,
  mapping?: object,
  now = noon,
) => importWhole(service, merchant, { content, receivingAccountId: charge.receivingAccountId, mapping, now });

const day = '2026-11-17';
const credit = (text: string, reference: string, amount = '128.50') =>
  booking({ amount, date: day, reference, text });

describe('Statement import', () => {
  test('stores the file, its user, its time and its counts', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const text = camtXml(credit(charge.paymentReference, 'R1') + credit('no reference', 'R2', '5'), {
      message: '054',
    });
    const statement = await importFile(service, merchant, charge, text);
    expect(statement).toMatchObject({
      status: 'completed',
      format: 'camt.054',
      entryCount: 2,
      recordedCount: 2,
      importedBy: 'user:ada',
      createdAt: noon,
      finishedAt: noon,
      size: BigInt(text.length),
      leasedUntil: null,
    });
    expect(getNonZeroCounts(statement)).toEqual({ matched: 1, exception: 1 });
    expect(await readChargeStatus(service, charge)).toBe('completed');
    const upload = await service.prisma.upload.findUniqueOrThrow({ where: { id: statement.uploadId! } });
    expect(upload.expiresAt).toBeNull();
    const bytes = await Array.fromAsync(readUpload(service, upload));
    expect(Buffer.concat(bytes).toString()).toBe(text);
  });

  test('of an invalid file imports nothing, and reports line and reason', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const lines = camtXml(
      `${credit(charge.paymentReference, 'R1')}\n${credit('x', 'R2').replace('</Ntry>', '')}`,
    );
    const statement = await importFile(service, merchant, charge, lines);
    expect(statement).toMatchObject({ status: 'failed', recordedCount: 0, entryCount: null });
    expect(statement.errorLine).toBeGreaterThan(1);
    expect(statement.failureReason).toMatch(/^not well-formed XML/);
    expect(await readChargeStatus(service, charge)).toBe('pending');
    expect(await service.prisma.transfer.count({ where: { statementId: statement.id } })).toBe(0);
    // The repaired file is another import.
    const repaired = await importFile(
      service,
      merchant,
      charge,
      camtXml(credit(charge.paymentReference, 'R1')),
    );
    expect(getNonZeroCounts(repaired)).toEqual({ matched: 1 });
  });

  test('is queued once by concurrent requests', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const text = camtXml(credit(charge.paymentReference, 'R1'));
    const all = await Promise.all(Array.from({ length: 4 }, () => queue(service, merchant, charge, text)));
    expect(new Set(all.map(({ statement }) => statement.id)).size).toBe(1);
    expect(all.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1);
  });

  test('ignores pending entries, records debits and accepts an empty statement', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const pending = credit('x', 'R1').replace(/<Sts>.*?<\/Sts>/, '<Sts>PDNG</Sts>');
    const debit = credit('x', 'R2').replace('CRDT', 'DBIT');
    const statement = await importFile(service, merchant, charge, camtXml(pending + debit));
    expect(getNonZeroCounts(statement)).toEqual({ ignored: 1, outgoing: 1 });
    const empty = await importFile(service, merchant, charge, camtXml(''));
    expect(empty).toMatchObject({ status: 'completed', entryCount: 0 });
  });

  test('reverses a credit of the same file or of an earlier one', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const other = await seedCharge(service, merchant, { input: { email: 'bob@example.com' } });
    const reversal = (paymentReference: string, reference: string) =>
      toReversal(credit(paymentReference, reference));
    const first = camtXml(
      credit(charge.paymentReference, 'R1') + reversal('', 'R1') + credit(other.paymentReference, 'R2'),
    );
    expect(getNonZeroCounts(await importFile(service, merchant, charge, first))).toEqual({
      matched: 2,
      outgoing: 1,
    });
    expect(await getReceivedAmount(service, charge)).toBe(0n);
    expect(await getReceivedAmount(service, other)).toBe(12850n);
    const later = camtXml(reversal(other.paymentReference, 'R9'));
    expect(getNonZeroCounts(await importFile(service, merchant, charge, later))).toEqual({ outgoing: 1 });
    expect(await getReceivedAmount(service, other)).toBe(0n);
    expect([await readChargeStatus(service, charge), await readChargeStatus(service, other)]).toEqual([
      'completed',
      'completed',
    ]);
    const repeated = camtXml(reversal(other.paymentReference, 'R9') + reversal('', 'R1'));
    expect(getNonZeroCounts(await importFile(service, merchant, charge, repeated))).toEqual({ duplicate: 2 });
  });
});

describe('CSV file', () => {
  const text = (reference: string) => `Date,Amount,Text\n${day},128.50,${reference}\n${day},-3,fee\n`;

  test('is imported by its mapping, which the next file of the account uses again', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    await expect(queue(service, merchant, charge, text('x'))).rejects.toMatchObject({
      code: 'invalid_request',
      inputErrors: [{ path: '/mapping' }],
    });
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const first = await importFile(service, merchant, charge, text(charge.paymentReference), mapping);
    expect([first.format, getNonZeroCounts(first)]).toEqual(['csv', { matched: 1, outgoing: 1 }]);
    const next = await importFile(service, merchant, charge, text('another'));
    expect(getNonZeroCounts(next)).toEqual({ exception: 1, duplicate: 1 });
    // The same mapping with explicit defaults.
    const defaults = {
      referenceColumns: ['Text'],
      isCreditNegative: false,
      creditValues: [],
      timeColumn: null,
    };
    const repeated = await queue(service, merchant, charge, text('another'), {
      ...csvMapping(),
      ...defaults,
    });
    expect(repeated.isDuplicate).toBe(true);
    // With another mapping, the same file is another import.
    const remapped = await queue(
      service,
      merchant,
      charge,
      text('another'),
      csvMapping({ referenceColumns: [] }),
    );
    expect(remapped.isDuplicate).toBe(false);
  });
});

describe('Unusual line', () => {
  const lines = (column: string, odd: string, { paymentReference: nonce }: Charge) =>
    `Date,Amount,Text,${column}\n${day},1.00,hello,${odd}\n${day},128.50,${nonce},R2\n`;

  test('with a name that is cut inside a character is imported with the others', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const content = lines('Payer', `${'a'.repeat(199)}𠮷`, charge);
    const mapping = csvMapping({ referenceColumns: ['Text'], payerNameColumn: 'Payer' });
    const statement = await importFile(service, merchant, charge, content, mapping);
    expect(getNonZeroCounts(statement)).toEqual({ matched: 1, exception: 1 });
    const odd = await service.prisma.transfer.findFirst({
      where: { statementId: statement.id, amount: 100 },
    });
    expect(odd?.payerName).toBe(`${'a'.repeat(199)}\ufffd`);
  });

  test('with a very long bank reference is imported, and recognized by it', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const long = randomBytes(3_000).toString('hex');
    const mapping = csvMapping({ referenceColumns: ['Text'], bankReferenceColumn: 'Ref' });
    const file = (odd: string) => lines('Ref', odd, charge);
    const countOutcomes = async (content: string) =>
      getNonZeroCounts(await importFile(service, merchant, charge, content, mapping));
    expect(await countOutcomes(file(long))).toEqual({ matched: 1, exception: 1 });
    expect(await countOutcomes(`${file(long)}\n`)).toEqual({ duplicate: 2 });
    expect(await countOutcomes(file(`${long}0`))).toEqual({ duplicate: 1, exception: 1 });
  });

  test('with a very long bank reference is recognized as the total of its parts', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const long = randomBytes(3_000).toString('hex');
    const entry = (transactions: string) => booking({ date: day, reference: long, details: transactions });
    await importFile(service, merchant, charge, camtXml(entry('')));
    const part = `<Refs><AcctSvcrRef>TX</AcctSvcrRef></Refs><RmtInf><Ustrd>${charge.paymentReference}</Ustrd></RmtInf>`;
    const parts = camtXml(entry(details(part)), { message: '054' });
    expect(getNonZeroCounts(await importFile(service, merchant, charge, parts))).toEqual({ matched: 1 });
    const totals = await service.prisma.transfer.findMany({
      where: { receivingAccountId: charge.receivingAccountId, status: 'duplicate' },
    });
    expect(totals).toHaveLength(1);
  });
});

describe('Overlapping files', () => {
  const formats: Record<string, (nonce: string, reference: string) => [string, object?]> = {
    'camt.053': (nonce, reference) => [camtXml(credit(nonce, reference))],
    'camt.054': (nonce, reference) => [camtXml(credit(nonce, reference), { message: '054' })],
    MT940: (nonce, reference) => [
      balancedMt940Text(`:61:2611171117C128,50NTRFNONREF//${reference}\n:86:${nonce}`),
    ],
    CSV: (nonce, reference) => [
      `Date,Amount,Text,Ref\n${day},128.50,${nonce},${reference}\n`,
      csvMapping({ referenceColumns: ['Text'], bankReferenceColumn: 'Ref' }),
    ],
  };
  const pairs = Object.keys(formats).flatMap((first) =>
    Object.keys(formats).map((second) => [first, second] as const),
  );

  test.for(pairs)(
    'of %s and then %s with different bank references record the payment once',
    async ([first, second], { service, merchant }) => {
      const charge = await seedCharge(service, merchant);
      const [firstFile, firstMapping] = formats[first]!(charge.paymentReference, 'FIRST1');
      const [other, otherMapping] = formats[second]!(
        charge.paymentReference,
        first === second ? 'FIRST1' : 'SECOND2',
      );
      expect(getNonZeroCounts(await importFile(service, merchant, charge, firstFile, firstMapping))).toEqual({
        matched: 1,
      });
      const repeated = await importFile(service, merchant, charge, `${other}\n`, otherMapping);
      expect(getNonZeroCounts(repeated)).toEqual({ duplicate: 1 });
      expect(await getReceivedAmount(service, charge)).toBe(12850n);
    },
  );

  test('record two payments of one charge twice, not four times', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const { paymentReference: nonce } = charge;
    const notified = camtXml(credit(nonce, 'N1') + credit(nonce, 'N2'), { message: '054' });
    expect(getNonZeroCounts(await importFile(service, merchant, charge, notified))).toEqual({
      matched: 1,
      exception: 1,
    });
    const booked = camtXml(credit(nonce, 'B1') + credit(nonce, 'B2'));
    expect(getNonZeroCounts(await importFile(service, merchant, charge, booked))).toEqual({
      duplicate: 2,
    });
  });
});

describe('Interrupted import', () => {
  const queueLines = (service: Service, merchant: NewMerchant, charge: Charge, total: number) =>
    queueFile(service, merchant, { ...charge, ...csvLines(charge.paymentReference, total), now: noon });

  test('continues where it stopped, also after a killed process, without duplicates', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCharge(service, merchant);
    const total = count(900, 3_000);
    const { statement } = await queueLines(service, merchant, charge, total);
    for (const stopAt of [250, 500]) {
      const claimed = await claimStatement(service, {
        id: statement.id,
        systemNow: noon,
      });
      const controller = new AbortController();
      const onProgress = ({ recordedCount: recorded }: Statement) => recorded >= stopAt && controller.abort();
      const run = {
        statement: claimed!,
        clock: { now: () => noon },
        signal: controller.signal,
        onProgress,
      };
      const stopped = await runImport(service, run);
      expect(stopped).toMatchObject({ status: 'queued', recordedCount: stopAt, entryCount: total });
    }
    // The lease of a killed process expires.
    const killed = await claimStatement(service, { id: statement.id, systemNow: noon });
    expect(await claimStatement(service, { id: statement.id, systemNow: noon })).toBeUndefined();
    const later = minutesAfter(noon, 1);
    const next = await claimStatement(service, { id: statement.id, systemNow: later });
    const done = await runImport(service, { statement: next!, clock: { now: () => later } });
    expect(done).toMatchObject({ status: 'completed', recordedCount: total });
    expect(getNonZeroCounts(done)).toEqual({ matched: 1, exception: total - 1 });
    expect(await service.prisma.transfer.count({ where: { statementId: statement.id } })).toBe(total);
    // The first process continues after its lease expired.
    const late = runImport(service, { statement: killed!, clock: { now: () => later } });
    await expect(late).rejects.toThrow(LeaseLostError);
  });

  test('continues when its account has been retired since', async ({ service, merchant }) => {
    const charge = await seedCharge(service, merchant);
    const { statement } = await queueLines(service, merchant, charge, 600);
    const controller = new AbortController();
    const onProgress = ({ recordedCount: recorded }: Statement) => recorded >= 250 && controller.abort();
    const resume = async (options: { signal?: AbortSignal }) => {
      const claimed = await claimStatement(service, { id: statement.id, systemNow: noon });
      return runImport(service, {
        statement: claimed!,
        clock: { now: () => noon },
        onProgress,
        ...options,
      });
    };
    expect(await resume({ signal: controller.signal })).toMatchObject({
      status: 'queued',
      recordedCount: 250,
    });
    expect(await resume({ signal: AbortSignal.abort() })).toMatchObject({
      status: 'queued',
      recordedCount: 250,
    });
    await retireAccounts(service, { id: charge.receivingAccountId }, noon);
    const done = await resume({});
    expect([done.status, getNonZeroCounts(done)]).toEqual(['completed', { matched: 1, exception: 599 }]);
    expect(await readChargeStatus(service, charge)).toBe('completed');
  });
});

describe('Importer', () => {
  const timeout = count(90_000, 600_000);

  const createImporter = (service: Service, concurrency?: number): WorkSlots =>
    startImporter(service, {
      clock: { now: () => noon },
      ...(concurrency && { concurrency }),
      onError: (error) => expect.unreachable(error.stack),
    });

  const readStatement = (service: Service, id: string) =>
    service.prisma.statement.findUniqueOrThrow({ where: { id } });

  /** Queues a file of many lines for a new account. */
  async function queueLines(service: Service, total: number): Promise<Statement> {
    const merchant = await seedMerchant(service);
    const charge = await seedCharge(service, merchant);
    const file = {
      ...csvLines(charge.paymentReference, total),
      receivingAccountId: charge.receivingAccountId,
      now: noon,
    };
    return (await queueFile(service, merchant, file)).statement;
  }

  test('imports a queued file once and completely if several start concurrently', { timeout }, async ({
    service,
  }) => {
    for (let round = 0; round < count(3, 50); round += 1) {
      const { id } = await queueLines(service, 300);
      const importers = Array.from({ length: 3 }, () => createImporter(service));
      await Promise.all(importers.map((importer) => importer.startDue()));
      await expect.poll(async () => (await readStatement(service, id)).status).toBe('completed');
      await Promise.all(importers.map((importer) => importer.stop()));
      expect(getNonZeroCounts(await readStatement(service, id))).toEqual({ matched: 1, exception: 299 });
      expect(await service.prisma.transfer.count({ where: { statementId: id } })).toBe(300);
    }
    await expectInvariants(service);
  });

  test('releases its claims when it is stopped while it starts', {
    timeout,
  }, async ({ service }) => {
    const { id } = await queueLines(service, 600);
    const stopped = createImporter(service);
    const start = stopped.startDue();
    await setImmediate();
    await stopped.stop();
    expect(await readStatement(service, id)).toMatchObject({ status: 'queued', leasedUntil: null });
    await start;
    const next = createImporter(service);
    await next.startDue();
    await expect.poll(async () => (await readStatement(service, id)).status).toBe('completed');
    await next.stop();
  });

  test('runs no more imports than its concurrency when it is started twice concurrently', {
    timeout,
  }, async ({ service }) => {
    const ids = [(await queueLines(service, 600)).id, (await queueLines(service, 600)).id];
    const statuses = async () =>
      (await Promise.all(ids.map((id) => readStatement(service, id)))).map(({ status }) => status);
    const importer = createImporter(service, 1);
    await Promise.all([importer.startDue(), importer.startDue()]);
    expect((await statuses()).filter((status) => status === 'queued')).toHaveLength(1);
    await expect.poll(statuses).toEqual(['completed', 'completed']);
    await importer.stop();
  });
});
