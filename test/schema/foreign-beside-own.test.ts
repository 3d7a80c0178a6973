import { beforeAll, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, maskIds, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { payCharge, seedUnmatchedTransfer } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** An id of others in the midst of what is one's own: nested, in a list, or as the second of two. */

let app: GraphqlApp;
let own: Objects;
/** Ids that lead nowhere: none at all, another merchant's, the other mode's. */
let elsewhere: [whose: string, Objects][];

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock: createFakeClock(noon) });
  own = await objectsOf(app.merchant, 'live');
  const nothing = Object.fromEntries(
    Object.entries(own).map(([noun, id]) => [noun, `${id.slice(0, -4)}zzzz`]),
  ) as Objects;
  elsewhere = [
    ['none', nothing],
    ['of another merchant', await objectsOf(app.otherMerchant, 'live')],
    ['of the other mode', await objectsOf(app.merchant, 'sandbox')],
  ];
});

type Objects = Record<'pending' | 'paid' | 'exception' | 'account' | 'refund' | 'upload', string>;

async function objectsOf(made: NewMerchant, mode: Mode): Promise<Objects> {
  const { service } = app.context;
  const owner = { merchantId: made.merchant.id, mode, actor: 'key:test', now: noon };
  const charge = await seedCharge(service, made, { mode });
  const exception = await seedUnmatchedTransfer(service, made, { charge, minor: 12_850n });
  const paid = await seedCharge(service, made, { mode, input: { email: 'bo@example.com' } });
  await payCharge(service, made, paid, { now: noon });
  const { refund } = await createRefund(service, {
    ...owner,
    input: { chargeId: paid.id, customerAmount: 5 },
  });
  const details = { bank: '004', account: '123456789', holder: 'Bo Chan' };
  await submitRefundDetails(service, { ...owner, id: refund.id, details });
  async function* source() {
    yield Buffer.from('Date,Amount,Reference\n2026-11-17,5.00,tea\n');
  }
  const upload = await storeUpload(service, { ...owner, fileName: 'march.csv', source: source() });
  return {
    pending: charge.id,
    paid: paid.id,
    exception: exception.id,
    account: charge.receivingAccountId,
    refund: refund.id,
    upload: upload.id,
  };
}

/** Inputs that would do something, were `other` one's own. */
const inputs: [name: string, input: (mine: Objects, other: Objects) => object][] = [
  ['assignTransfer', (mine, { pending }) => ({ id: mine.exception, chargeId: pending })],
  ['assignTransfer', (mine, { exception }) => ({ id: exception, chargeId: mine.pending })],
  ['splitTransfer', (mine, { pending }) => ({ id: mine.exception, parts: [{ chargeId: pending }] })],
  [
    'splitTransfer',
    (mine, { pending }) => ({
      id: mine.exception,
      parts: [{ chargeId: mine.pending, amount: '1' }, { chargeId: pending }],
    }),
  ],
  ['markTransferAsDuplicate', (mine, { exception }) => ({ id: mine.exception, duplicateOfId: exception })],
  ['unassignTransfer', (mine, { paid }) => ({ id: mine.exception, chargeId: paid })],
  ['importStatement', (mine, { upload }) => ({ receivingAccountId: mine.account, uploadId: upload })],
  ['importStatement', (mine, { account }) => ({ receivingAccountId: account, uploadId: mine.upload })],
  ['previewStatement', (mine, { upload }) => ({ receivingAccountId: mine.account, uploadId: upload })],
  ['previewStatement', (mine, { account }) => ({ receivingAccountId: account, uploadId: mine.upload })],
  ['createExport', (_mine, { refund }) => ({ kind: 'payouts', refundIds: [refund] })],
  [
    'createExport',
    (mine, { account }) => ({ kind: 'payouts', payingAccountId: account, refundIds: [mine.refund] }),
  ],
];

/** Everything that the two merchants have, as it stands. */
async function everything(): Promise<unknown> {
  const { prisma } = app.context.service;
  const orderBy = { id: 'asc' } as const;
  return [
    await prisma.charge.findMany({ orderBy }),
    await prisma.transfer.findMany({ orderBy }),
    await prisma.allocation.findMany({ orderBy }),
    await prisma.refund.findMany({ orderBy }),
    await prisma.statement.count(),
    await prisma.export.count(),
    await prisma.event.count(),
  ];
}

test('is to mutations as one that is not there, and changes nothing', async () => {
  const before = await everything();
  for (const [name, input] of inputs) {
    const answers = [];
    for (const [, other] of elsewhere) {
      answers.push(maskIds(await mutate(app, name, input(own, other))));
    }
    const [none] = answers;
    expect([name, none.__typename]).toEqual([name, expect.stringMatching(/Error$/)]);
    expect([name, answers]).toEqual([name, elsewhere.map(() => none)]);
  }
  expect(await everything()).toEqual(before);
});

test('names no account for the items of a feed', async () => {
  for (const [, { account: receivingAccountId }] of elsewhere) {
    const item = {
      bankReference: 'FEED-1',
      amount: '5',
      currency: 'HKD',
      reference: 'tea',
      paidAt: '2026-11-17',
    };
    const { data, errors } = await app.ask(
      `mutation ($input: RecordTransfersInput!) { recordTransfers(input: $input) {
        ... on RecordTransfersSuccess { results { reason transfer { id } } } } }`,
      { variables: { input: { transfers: [{ ...item, receivingAccountId }] } } },
    );
    expect(errors).toBeUndefined();
    expect(data.recordTransfers.results).toEqual([{ reason: 'invalid', transfer: null }]);
  }
});

test('finds nothing as a filter of one’s own lists', async () => {
  const listed = async (other: Objects) => {
    const { data } = await app.ask(`{
      refunds(filter: { chargeId: "${other.paid}" }) { totalCount nodes { id } }
      transfers(filter: { receivingAccountId: "${other.account}" }) { totalCount nodes { id } }
      notifications(filter: { chargeId: "${other.paid}" }) { totalCount nodes { id } } }`);
    return data;
  };
  const none = { totalCount: 0, nodes: [] };
  for (const [, other] of elsewhere)
    expect(await listed(other)).toEqual({ refunds: none, transfers: none, notifications: none });
  expect((await listed(own)).refunds.totalCount).toBe(1);
  await expectInvariants(app.context.service);
});
