import { expect } from 'vitest';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import { exportCustomer } from '../../src/domain/operations/customer-data/export-customer.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { fakeTimeGraphqlTest as test } from '../setup/app-fixtures.ts';
import { mutate } from '../setup/graphql.ts';
import { importFile } from '../setup/import-file.ts';
import { seedApiKey, seedCharge } from '../setup/seed.ts';
import { csvMapping } from '../setup/statement-files.ts';

test('the account from which a customer paid is suggested for the refund, exported and erased', async ({
  app,
  service,
  clock,
}) => {
  const { merchant } = app;
  const now = clock.now();
  const input = { email: 'ada@example.com' };
  const charge = await seedCharge(service, merchant, { input, now });
  const day = now.toISOString().slice(0, 10);
  await importFile(service, merchant, {
    content: `Date,Amount,Text,Payer,Account\n${day},128.50,${charge.paymentReference},WONG ADA,004-123456789\n`,
    receivingAccountId: charge.receivingAccountId,
    mapping: csvMapping({
      referenceColumns: ['Text'],
      payerNameColumn: 'Payer',
      payerAccountColumn: 'Account',
    }),
    now,
  });
  const { merchantId, mode } = charge;
  const { refund } = await createRefund(service, {
    ...{ merchantId, mode, actor: 'user:test', now },
    input: { chargeId: charge.id, customerAmount: 20 },
  });
  const query = `{ refund(id: "${refund.id}") { status payoutCountry payerAccounts { account name } } }`;
  const found = { account: '004-123456789', name: 'WONG ADA' };
  expect((await app.ask(query)).data.refund).toEqual({
    status: 'initiated',
    payoutCountry: 'HK',
    payerAccounts: [found],
  });
  const reader = await seedApiKey(service, merchant, { permissions: ['read'] });
  const denied = await app.ask(query, { as: reader });
  expect(denied.data.refund).toMatchObject({ payerAccounts: null });

  const details = { bank: '004', account: '123456789', accountName: found.name };
  await mutate(app, 'submitRefundDetails', { id: refund.id, ...details });
  const where = { id: charge.customerId };
  expect(await exportCustomer(service, where)).toMatchObject({
    transfers: [{ payerName: found.name, payerAccount: found.account }],
  });
  await eraseCustomer(service, { ...where, now });
  expect(await service.prisma.transfer.findMany({ where: { merchantId } })).toMatchObject([
    { payerName: null, payerAccount: null },
  ]);
});
