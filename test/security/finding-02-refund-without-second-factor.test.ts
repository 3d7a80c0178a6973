import { beforeAll, describe, expect, test } from 'vitest';
import { createPageToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { buildExports } from '../../src/domain/payouts/export/build-exports.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { hashTables } from '../setup/database-state.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';
import { enableTwoFactor, reauthenticate } from '../setup/users.ts';
import { publicOrigin } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/**
 * Finding 2 of the penetration test: a stolen session of an owner, without the code, records money that never came,
 * refunds it to the e-mail address of the attacker's own charge, and writes the payout file that pays it.
 */

const clock = createFakeClock(noon);
let app: GraphqlApp;
let thief: SignedInUser;
let secret: string;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
  thief = await signInAs('owner', app, app.merchant);
  ({ secret } = await enableTwoFactor(thief, { password, clock }));
  clock.advance(20 * minuteMs);
});

const evil = { email: 'evil@attacker.test', merchantAmount: 9000 } as const;
const theirAccount = { bank: '004', account: '987654321', holder: 'Evil Attacker' };
const theirDetails = { bank: '004', account: '987654321', accountName: 'Evil Attacker' };

const unmatched = (charge: { receivingAccountId: string }, id: string, reference: string) => ({
  transfers: [
    {
      ...{
        bankReference: id,
        receivingAccountId: charge.receivingAccountId,
        amount: '9000',
        currency: 'HKD',
      },
      ...{ reference, paidAt: clock.now().toISOString() },
    },
  ],
});

const codeOf = async (name: string, input: object): Promise<string> => {
  const answer = await mutate(thief, name, input);
  return answer.code ?? answer.__typename;
};

test('each step of the chain needs the code, and none of them changes anything', async () => {
  const { service } = app.context;
  // The attacker's own charge, and a customer's paid one with the customer's money on it.
  const theirs = await seedCharge(service, app.merchant, { input: evil });
  const paid = await seedCharge(service, app.merchant, { input: { email: 'ada@example.com' } });
  await payCharge(service, app.merchant, paid, { now: noon });
  const money = await service.prisma.transfer.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const waiting = await mutate(
    app,
    'recordTransfers',
    unmatched(theirs, 'bank-1', 'no reference'),
    'results { transfer { id } }',
  );
  const transferId = waiting.results[0].transfer.id;

  // That the session was seen is noted before.
  await thief.ask('{ viewer { reauthenticatedUntil } }');
  const before = await hashTables(service);
  expect(await codeOf('recordTransfers', unmatched(theirs, 'hand-1', theirs.paymentReference))).toBe(
    rejected,
  );
  const parts = [{ chargeId: theirs.id, amount: '9000' }];
  expect(await codeOf('assignTransfer', { id: transferId, chargeId: theirs.id })).toBe(rejected);
  expect(await codeOf('splitTransfer', { id: transferId, parts })).toBe(rejected);
  expect(await codeOf('unassignTransfer', { id: money.id, chargeId: paid.id })).toBe(rejected);
  expect(await codeOf('createRefund', { chargeId: paid.id, customerAmount: '1' })).toBe(rejected);
  expect(await codeOf('createExport', { kind: 'payouts', format: 'pain_001_001_09' })).toBe(rejected);
  expect(await codeOf('updateMerchantSettings', { isSecureModeEnabled: false })).toBe(rejected);
  expect(await codeOf('updateMerchantSettings', { underpaymentTolerance: '0.02' })).toBe(rejected);
  expect(await upload()).toBe(rejected);
  expect(await hashTables(service)).toEqual(before);
});

const rejected = 'second_factor_required';

async function upload(): Promise<string> {
  const answer = await app.app.inject({
    method: 'PUT',
    url: '/uploads?fileName=invented.csv',
    headers: { cookie: thief.cookie()!, origin: publicOrigin, 'content-type': 'application/octet-stream' },
    payload: 'Date,Amount,Text\n2026-11-20,9000.00,TUNES6426\n',
  });
  return answer.json().code;
}

describe('once the owner has made such a refund themselves', () => {
  let refundId: string;

  beforeAll(async () => {
    const { service } = app.context;
    const charge = await seedCharge(service, app.merchant, { input: evil });
    await payCharge(service, app.merchant, charge, { now: noon });
    const created = await mutate(
      app,
      'createRefund',
      { chargeId: charge.id, customerAmount: '9000' },
      'refund { id }',
    );
    refundId = created.refund.id;
  });

  test('the session sees neither its link, nor the mail with it, nor afterwards the bank details', async () => {
    const { service } = app.context;
    await service.prisma.message.updateMany({
      where: { kind: 'refund-link' },
      data: { status: 'captured', nextAttemptAt: null, finishedAt: noon },
    });
    const seen = await thief.ask(`{ refund(id: "${refundId}") { detailsUrl }
      outboundMessages(filter: { recipient: "${evil.email}" }) { nodes { kind text html } } }`);
    expect(seen.data.refund.detailsUrl).toBe(null);
    expect(seen.data.outboundMessages.nodes).toEqual([{ kind: 'refund-link', text: null, html: null }]);
    expect(await codeOf('submitRefundDetails', { id: refundId, ...theirDetails })).toBe(rejected);

    // As the reader of the mail enters them.
    const refund = await service.prisma.refund.findUniqueOrThrow({ where: { id: refundId } });
    const page = await app.app.inject({
      method: 'POST',
      url: `/pay/refund/${createPageToken(service.secrets, 'refund', refund)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: publicOrigin },
      payload: new URLSearchParams(theirAccount).toString(),
    });
    expect(page.statusCode).toBeLessThan(400);
    const { data } = await thief.ask(
      '{ refundsAwaitingPayout { nodes { status payoutDetails { account } } } }',
    );
    expect(data.refundsAwaitingPayout.nodes).toEqual([{ status: 'processing', payoutDetails: null }]);
    for (const name of ['completeRefund', 'reopenRefund'])
      expect(await codeOf(name, { id: refundId, ...(name === 'reopenRefund' && { reason: 'x' }) })).toBe(
        rejected,
      );
  });

  test('the payout file is created and downloaded with the code alone', async () => {
    const payouts = { kind: 'payouts', format: 'pain_001_001_09' };
    await reauthenticate(thief, { secret, clock });
    const made: Json = await mutate(thief, 'createExport', payouts, 'export { id }');
    await buildExports(app.context.service, { clock });
    const download = () =>
      app.app.inject({
        url: `/exports/${made.export.id}/file`,
        headers: { cookie: thief.cookie()!, origin: publicOrigin },
      });
    expect((await download()).body).toContain('Evil Attacker');
    clock.advance(15 * minuteMs);
    const late = await download();
    expect([late.statusCode, late.json().code]).toEqual([403, rejected]);
  });
});
