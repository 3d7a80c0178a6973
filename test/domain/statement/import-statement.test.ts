import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge, Statement } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { claimStatement } from '../../../src/domain/money-in/statement/claim-statement.ts';
import { runImport } from '../../../src/domain/money-in/statement/run-import.ts';
import { LeaseLost } from '../../../src/domain/money-in/statement/transition-statement.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { readUpload } from '../../../src/domain/platform/upload/read-upload.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { count } from '../../setup/counts.ts';
import {
  csvLines,
  getNonZeroCounts,
  getReceivedAmount,
  importFile as importWhole,
  queueFile,
} from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { retireAccounts } from '../../setup/receiving-accounts.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { booking, camtXml, csvMapping, details, mt940Text } from '../../setup/statement-files.ts';

const onCleanup = cleanupAfterFile();
let service: Service;
let merchant: NewMerchant;
let now = noon;
const clock = { now: () => now };

beforeAll(async () => {
  service = await setupService(onCleanup);
});

/** Of HKD 128.50 by FPS, pending, of a merchant of its own. */
async function newCharge(): Promise<Charge> {
  now = noon;
  merchant = await seedMerchant(service);
  return seedCharge(service, merchant);
}

const queue = (content: string, receivingAccountId: string, mapping?: object) =>
  queueFile(service, merchant, { content, receivingAccountId, mapping, now });

const importFile = (content: string, receivingAccountId: string, mapping?: object) =>
  importWhole(service, merchant, { content, receivingAccountId, mapping, now });

const day = '2026-11-17';
const credit = (text: string, reference: string, amount = '128.50') =>
  booking({ amount, date: day, reference, text });
const statusOf = async ({ id }: Charge) =>
  (await service.prisma.charge.findUniqueOrThrow({ where: { id } })).status;

describe('the import of a statement', () => {
  test('keeps the file, who, when and what came of it', async () => {
    const charge = await newCharge();
    const text = camtXml(credit(charge.paymentReference, 'R1') + credit('no word', 'R2', '5'), {
      message: '054',
    });
    const statement = await importFile(text, charge.receivingAccountId);
    expect(statement).toMatchObject({
      status: 'completed',
      format: 'camt.054',
      entryCount: 2,
      recordedCount: 2,
      importedBy: 'user:ada',
      createdAt: noon,
      finishedAt: noon,
      size: BigInt(text.length),
      leasedBy: null,
    });
    expect(getNonZeroCounts(statement)).toEqual({ matched: 1, exception: 1 });
    expect(await statusOf(charge)).toBe('completed');
    const kept = await service.prisma.upload.findUniqueOrThrow({ where: { id: statement.uploadId! } });
    expect(kept.expiresAt).toBeNull();
    const bytes = await Array.fromAsync(readUpload(service, kept));
    expect(Buffer.concat(bytes).toString()).toBe(text);
  });

  test('of a broken file imports nothing, and keeps line and reason', async () => {
    const charge = await newCharge();
    const lines = camtXml(
      `${credit(charge.paymentReference, 'R1')}\n${credit('x', 'R2').replace('</Ntry>', '')}`,
    );
    const statement = await importFile(lines, charge.receivingAccountId);
    expect(statement).toMatchObject({ status: 'failed', recordedCount: 0, entryCount: null });
    expect(statement.errorLine).toBeGreaterThan(1);
    expect(statement.errorReason).toMatch(/^not well-formed XML/);
    expect(await statusOf(charge)).toBe('pending');
    expect(await service.prisma.transfer.count({ where: { statementId: statement.id } })).toBe(0);
    // Mended, it is another import; the broken one stays in the list.
    const good = await importFile(camtXml(credit(charge.paymentReference, 'R1')), charge.receivingAccountId);
    expect(getNonZeroCounts(good)).toEqual({ matched: 1 });
  });

  test('is asked for once, however many ask at once', async () => {
    const charge = await newCharge();
    const text = camtXml(credit(charge.paymentReference, 'R1'));
    const all = await Promise.all(Array.from({ length: 4 }, () => queue(text, charge.receivingAccountId)));
    expect(new Set(all.map(({ statement }) => statement.id)).size).toBe(1);
    expect(all.filter(({ alreadyImported }) => !alreadyImported)).toHaveLength(1);
  });

  test('of debits, pending entries and nothing at all', async () => {
    const charge = await newCharge();
    const pending = credit('x', 'R1').replace(/<Sts>.*?<\/Sts>/, '<Sts>PDNG</Sts>');
    const debit = credit('x', 'R2').replace('CRDT', 'DBIT');
    const statement = await importFile(camtXml(pending + debit), charge.receivingAccountId);
    expect(getNonZeroCounts(statement)).toEqual({ ignored: 1, outgoing: 1 });
    const empty = await importFile(camtXml(''), charge.receivingAccountId);
    expect(empty).toMatchObject({ status: 'completed', entryCount: 0 });
  });

  test('of a reversal takes the credit back, in the same file and in a later one', async () => {
    const charge = await newCharge();
    const other = await seedCharge(service, merchant, { input: { email: 'bob@example.com' } });
    const reversal = (nonce: string, reference: string) =>
      credit(nonce, reference).replace('CRDT', 'DBIT').replace('<Sts>', '<RvslInd>true</RvslInd><Sts>');
    const first = camtXml(
      credit(charge.paymentReference, 'R1') + reversal('', 'R1') + credit(other.paymentReference, 'R2'),
    );
    expect(getNonZeroCounts(await importFile(first, charge.receivingAccountId))).toEqual({
      matched: 2,
      outgoing: 1,
    });
    expect(await getReceivedAmount(service, charge)).toBe(0n);
    expect(await getReceivedAmount(service, other)).toBe(12850n);
    const later = camtXml(reversal(other.paymentReference, 'R9'));
    expect(getNonZeroCounts(await importFile(later, charge.receivingAccountId))).toEqual({ outgoing: 1 });
    expect(await getReceivedAmount(service, other)).toBe(0n);
    expect([await statusOf(charge), await statusOf(other)]).toEqual(['completed', 'completed']);
    const again = camtXml(reversal(other.paymentReference, 'R9') + reversal('', 'R1'));
    expect(getNonZeroCounts(await importFile(again, charge.receivingAccountId))).toEqual({ duplicate: 2 });
  });
});

describe('a CSV file', () => {
  const text = (nonce: string) => `Date,Amount,Text\n${day},128.50,${nonce}\n${day},-3,fee\n`;

  test('is imported by the mapping given, and the next one of the account by the same', async () => {
    const charge = await newCharge();
    const account = charge.receivingAccountId;
    await expect(queue(text('x'), account)).rejects.toMatchObject({
      code: 'invalid_request',
      inputErrors: [{ path: '/mapping' }],
    });
    const mapping = csvMapping({ referenceColumns: ['Text'] });
    const first = await importFile(text(charge.paymentReference), account, mapping);
    expect([first.format, getNonZeroCounts(first)]).toEqual(['csv', { matched: 1, outgoing: 1 }]);
    const next = await importFile(text('another'), account);
    expect(getNonZeroCounts(next)).toEqual({ exception: 1, duplicate: 1 });
    // The same mapping, with what it does without said as such.
    const alike = { referenceColumns: ['Text'], isCreditNegative: false, creditValues: [], timeColumn: null };
    const again = await queue(text('another'), account, { ...csvMapping(), ...alike });
    expect(again.alreadyImported).toBe(true);
    // Read otherwise, the same file is another import.
    const otherwise = await queue(text('another'), account, csvMapping({ referenceColumns: [] }));
    expect(otherwise.alreadyImported).toBe(false);
  });
});

describe('one odd row', () => {
  const lines = (column: string, odd: string, { paymentReference: nonce }: Charge) =>
    `Date,Amount,Text,${column}\n${day},1.00,hello,${odd}\n${day},128.50,${nonce},R2\n`;

  test('with a name cut inside a character does not keep the others out', async () => {
    const charge = await newCharge();
    const content = lines('Payer', `${'a'.repeat(199)}𠮷`, charge);
    const mapping = csvMapping({ referenceColumns: ['Text'], payerNameColumn: 'Payer' });
    const statement = await importFile(content, charge.receivingAccountId, mapping);
    expect(getNonZeroCounts(statement)).toEqual({ matched: 1, exception: 1 });
    const odd = await service.prisma.transfer.findFirst({
      where: { statementId: statement.id, amount: 100 },
    });
    expect(odd?.payerName).toBe(`${'a'.repeat(199)}\ufffd`);
  });

  test('with a reference of the bank longer than any does not either, and is known again by it', async () => {
    const charge = await newCharge();
    const long = randomBytes(3_000).toString('hex');
    const mapping = csvMapping({ referenceColumns: ['Text'], bankReferenceColumn: 'Ref' });
    const file = (odd: string) => lines('Ref', odd, charge);
    const bring = async (content: string) =>
      getNonZeroCounts(await importFile(content, charge.receivingAccountId, mapping));
    expect(await bring(file(long))).toEqual({ matched: 1, exception: 1 });
    expect(await bring(`${file(long)}\n`)).toEqual({ duplicate: 2 });
    expect(await bring(file(`${long}0`))).toEqual({ duplicate: 1, exception: 1 });
  });

  test('with such a reference is found as the whole of its parts', async () => {
    const charge = await newCharge();
    const long = randomBytes(3_000).toString('hex');
    const entry = (inside: string) => booking({ date: day, reference: long, details: inside });
    await importFile(camtXml(entry('')), charge.receivingAccountId);
    const part = `<Refs><AcctSvcrRef>TX</AcctSvcrRef></Refs><RmtInf><Ustrd>${charge.paymentReference}</Ustrd></RmtInf>`;
    const parts = camtXml(entry(details(part)), { message: '054' });
    expect(getNonZeroCounts(await importFile(parts, charge.receivingAccountId))).toEqual({ matched: 1 });
    const whole = await service.prisma.transfer.findMany({
      where: { receivingAccountId: charge.receivingAccountId, status: 'duplicate' },
    });
    expect(whole).toHaveLength(1);
  });
});

describe('files that overlap', () => {
  const formats: Record<string, (nonce: string, reference: string) => [string, object?]> = {
    'camt.053': (nonce, reference) => [camtXml(credit(nonce, reference))],
    'camt.054': (nonce, reference) => [camtXml(credit(nonce, reference), { message: '054' })],
    MT940: (nonce, reference) => [mt940Text(`:61:2611171117C128,50NTRFNONREF//${reference}\n:86:${nonce}`)],
    CSV: (nonce, reference) => [
      `Date,Amount,Text,Ref\n${day},128.50,${nonce},${reference}\n`,
      csvMapping({ referenceColumns: ['Text'], bankReferenceColumn: 'Ref' }),
    ],
  };
  const pairs = Object.keys(formats).flatMap((first) =>
    Object.keys(formats).map((second) => [first, second] as const),
  );

  test.each(pairs)(
    '%s, then %s, each under its own reference, count the money once',
    async (first, second) => {
      const charge = await newCharge();
      const [one, oneMapping] = formats[first]!(charge.paymentReference, 'FIRST1');
      const [other, otherMapping] = formats[second]!(
        charge.paymentReference,
        first === second ? 'FIRST1' : 'SECOND2',
      );
      expect(getNonZeroCounts(await importFile(one, charge.receivingAccountId, oneMapping))).toEqual({
        matched: 1,
      });
      const again = await importFile(`${other}\n`, charge.receivingAccountId, otherMapping);
      expect(getNonZeroCounts(again)).toEqual({ duplicate: 1 });
      expect(await getReceivedAmount(service, charge)).toBe(12850n);
    },
  );

  test('two payments of one charge in both kinds of file are two, not four', async () => {
    const charge = await newCharge();
    const { paymentReference: nonce, receivingAccountId } = charge;
    const notified = camtXml(credit(nonce, 'N1') + credit(nonce, 'N2'), { message: '054' });
    expect(getNonZeroCounts(await importFile(notified, receivingAccountId))).toEqual({
      matched: 1,
      exception: 1,
    });
    const booked = camtXml(credit(nonce, 'B1') + credit(nonce, 'B2'));
    expect(getNonZeroCounts(await importFile(booked, receivingAccountId))).toEqual({ duplicate: 2 });
  });
});

describe('an import that is broken off', () => {
  const queueLines = (charge: Charge, total: number) =>
    queueFile(service, merchant, { ...charge, ...csvLines(charge.paymentReference, total), now });

  test('goes on where it was, after a killed process too, and counts nothing twice', async () => {
    const charge = await newCharge();
    const total = count(900, 3_000);
    const { statement } = await queueLines(charge, total);
    for (const stopAt of [250, 500]) {
      const claimed = await claimStatement(service, { id: statement.id, leaseId: randomUUID(), at: now });
      const controller = new AbortController();
      const onProgress = ({ recordedCount: recorded }: Statement) => recorded >= stopAt && controller.abort();
      const leaseId = claimed!.leasedBy!;
      const run = { statement: claimed!, leaseId, clock, signal: controller.signal, onProgress };
      const stopped = await runImport(service, run);
      expect(stopped).toMatchObject({ status: 'queued', recordedCount: stopAt, entryCount: total });
    }
    // One that is killed says nothing more: its lease runs out.
    const killed = await claimStatement(service, { id: statement.id, leaseId: 'killed', at: now });
    expect(await claimStatement(service, { id: statement.id, leaseId: 'early', at: now })).toBeUndefined();
    now = minutesAfter(now, 1);
    const next = await claimStatement(service, { id: statement.id, leaseId: 'next', at: now });
    const done = await runImport(service, { statement: next!, leaseId: 'next', clock });
    expect(done).toMatchObject({ status: 'completed', recordedCount: total });
    expect(getNonZeroCounts(done)).toEqual({ matched: 1, exception: total - 1 });
    expect(await service.prisma.transfer.count({ where: { statementId: statement.id } })).toBe(total);
    // It comes back to life.
    const late = runImport(service, { statement: killed!, leaseId: 'killed', clock });
    await expect(late).rejects.toThrow(LeaseLost);
  });

  test('goes on although its account is retired meanwhile: what was asked for on it still counts', async () => {
    const charge = await newCharge();
    const { statement } = await queueLines(charge, 600);
    const controller = new AbortController();
    const onProgress = ({ recordedCount: recorded }: Statement) => recorded >= 250 && controller.abort();
    const goOn = async (options: { signal?: AbortSignal }) => {
      const claimed = await claimStatement(service, { id: statement.id, leaseId: 'test', at: now });
      return runImport(service, { statement: claimed!, leaseId: 'test', clock, onProgress, ...options });
    };
    expect(await goOn({ signal: controller.signal })).toMatchObject({ status: 'queued', recordedCount: 250 });
    await retireAccounts(service, { id: charge.receivingAccountId }, now);
    const done = await goOn({});
    expect([done.status, getNonZeroCounts(done)]).toEqual(['completed', { matched: 1, exception: 599 }]);
    expect(await statusOf(charge)).toBe('completed');
  });
});

test('after all of this every promise holds', async () => {
  await expectInvariants(service);
});
