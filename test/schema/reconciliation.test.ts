import { beforeAll, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { payOut, returnPayout, seedPayableRefund } from '../setup/payouts.ts';
import { noon } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock: createFakeClock(noon) });
});

test('the books are told by day', async () => {
  const { service } = app.context;
  const paid = await seedPayableRefund(service, app.merchant);
  await payOut(service, app.merchant, paid);
  await returnPayout(service, app.merchant, paid);
  await payOut(service, app.merchant, paid, { id: 'rent', reference: 'Rent' });
  const { data } = await app.ask(
    `{ reconciliation(startDate: "2026-11-17", endDate: "2026-11-17") { startDate endDate timeZone startsAt endsAt lines {
      currency receivingAccount { method } openingBalance receivedAmount matchedAmount partialAmount exceptionAmount returnedAmount refundedAmount closingBalance
      otherOutgoingAmount } } }`,
  );
  expect(data.reconciliation).toEqual({
    startDate: '2026-11-17',
    endDate: '2026-11-17',
    timeZone: 'UTC',
    startsAt: '2026-11-17T00:00:00.000Z',
    endsAt: '2026-11-18T00:00:00.000Z',
    lines: [
      {
        currency: 'HKD',
        receivingAccount: { method: 'fps' },
        openingBalance: '0.00',
        receivedAmount: '149.00',
        matchedAmount: '128.50',
        partialAmount: '0.00',
        exceptionAmount: '20.50',
        returnedAmount: '0.00',
        refundedAmount: '20.50',
        closingBalance: '128.50',
        otherOutgoingAmount: '20.50',
      },
    ],
  });
  const wrong = await app.ask(
    '{ reconciliation(startDate: "2026-02-30", endDate: "2026-03-01") { startDate } }',
  );
  expect(wrong.errors[0].message).toContain('must be a day');
});
