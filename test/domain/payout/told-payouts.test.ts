import { beforeAll, expect, test } from 'vitest';
import type { Refund } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { recordTransfers } from '../../../src/domain/money-in/transfer/record-transfers.ts';
import { reopenRefund } from '../../../src/domain/payments/refund/reopen-refund.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { importFile } from '../../setup/import-file.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { seedPayableRefund } from '../../setup/payouts.ts';
import { noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import { booking, camtXml, details, mt940Text } from '../../setup/statement-files.ts';

const onCleanup = cleanupAfterFile();

/** Payouts as banks tell of them: in statements, and in feeds. */

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
});

const statusOf = async ({ id }: Refund) =>
  (await service.prisma.refund.findUniqueOrThrow({ where: { id } })).status;
const accountOf = async ({ chargeId }: Refund) =>
  (await service.prisma.charge.findUniqueOrThrow({ where: { id: chargeId } })).receivingAccountId;

const importText = (content: string, receivingAccountId: string) =>
  importFile(service, merchant, { content, receivingAccountId, now: noon });

const debit = (reference: string, transaction: string) =>
  booking({ amount: '20.50', direction: 'DBIT', reference, details: details(transaction) });

test('a statement completes the refunds it names, in the remittance text or as the end-to-end id alone', async () => {
  const [named, byId, other] = [
    await seedPayableRefund(service, merchant),
    await seedPayableRefund(service, merchant),
    await seedPayableRefund(service, merchant),
  ];
  const file = camtXml(
    [
      debit('D1', `<RmtInf><Ustrd>${named.payoutReference}</Ustrd></RmtInf>`),
      debit('D2', `<Refs><EndToEndId>${byId.payoutReference}</EndToEndId></Refs>`),
      debit('D3', '<RmtInf><Ustrd>Rent</Ustrd></RmtInf>'),
    ].join('\n'),
  );
  await importText(file, await accountOf(named));
  expect([await statusOf(named), await statusOf(byId), await statusOf(other)]).toEqual([
    'completed',
    'completed',
    'processing',
  ]);
  const lines = await service.prisma.transfer.findMany({
    where: { merchantId: merchant.merchant.id, direction: 'debit' },
    orderBy: { bankReference: 'asc' },
  });
  expect(lines).toMatchObject([
    { status: 'outgoing', reason: null },
    { status: 'outgoing', reason: null },
    { status: 'outgoing', reason: 'unknown_payout' },
  ]);
});

test('a payout that came back, told by notice, statement and MT940, waits once and reopens its refund', async () => {
  const refund = await seedPayableRefund(service, merchant);
  const account = await accountOf(refund);
  const { payoutReference: word } = refund;
  await importText(camtXml(debit('OUT', `<RmtInf><Ustrd>${word}</Ustrd></RmtInf>`)), account);
  const inside = details(`<RmtInf><Ustrd>${word}</Ustrd></RmtInf><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>`);
  const credit = (reference: string) =>
    booking({ amount: '20.50', date: '2026-11-18', reference, details: inside });
  await importText(camtXml(credit('N1'), { message: '054' }), account);
  await importText(mt940Text(`:61:2611181118C20,50NRTINONREF//M1\n:86:${word} AC04`), account);
  await importText(camtXml(credit('B1')), account);
  const told = await service.prisma.transfer.findMany({
    where: { receivingAccountId: account, direction: 'credit', reference: { contains: word } },
    orderBy: { id: 'asc' },
  });
  const [first] = told;
  expect(told).toMatchObject([
    { status: 'exception', reason: 'returned_payment' },
    { status: 'duplicate', duplicateOfId: first!.id },
    { status: 'duplicate', duplicateOfId: first!.id },
  ]);
  const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:ada', now: noon } as const;
  await reopenRefund(service, { ...owner, id: refund.id, reason: 'It came back.' });
  const waiting = { receivingAccountId: account, status: 'exception', reason: 'returned_payment' } as const;
  expect(await service.prisma.transfer.count({ where: waiting })).toBe(0);
  await expectInvariants(service);
});

test('a feed completes the refund that a debit names, and a credit of the same id is another movement', async () => {
  const refund = await seedPayableRefund(service, merchant);
  const item = {
    id: 'feed-1',
    receivingAccountId: await accountOf(refund),
    amount: 20.5,
    currency: 'HKD',
    reference: `REFUND ${refund.payoutReference}`,
    paidAt: noon.toISOString(),
  };
  const feed = (...items: (typeof item & { direction?: 'debit' })[]) =>
    recordTransfers(service, {
      merchant: merchant.merchant,
      mode: 'live',
      items,
      actor: 'key:feed',
      now: noon,
    });
  const credit = { ...item, id: 'feed-0', reference: 'hello' };
  expect(await feed(credit, { ...item, direction: 'debit' }, { ...item, direction: 'debit' })).toEqual([
    { id: 'feed-0', status: 'exception', reason: 'missing_reference', transferId: expect.any(String) },
    { id: 'feed-1', status: 'outgoing', refundId: refund.id, transferId: expect.any(String) },
    { id: 'feed-1', status: 'duplicate', transferId: expect.any(String) },
  ]);
  expect(await statusOf(refund)).toBe('completed');
  const [back] = await feed(item);
  expect(back).toMatchObject({ id: 'feed-1', status: 'exception' });
  await expectInvariants(service);
});
