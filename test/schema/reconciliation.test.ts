import { beforeAll, expect, test } from 'vitest';
import { testClock } from '../setup/clock.ts';
import { type GraphqlApp, graphqlApp } from '../setup/graphql.ts';
import { noon } from '../setup/makers.ts';
import { comeBack, payOut, refundToPay } from '../setup/payouts.ts';

let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp({ clock: testClock(noon) });
});

test('the books are told by day', async () => {
  const { service } = app.context;
  const paid = await refundToPay(service, app.merchant);
  await payOut(service, app.merchant, paid);
  await comeBack(service, app.merchant, paid);
  await payOut(service, app.merchant, paid, { id: 'rent', reference: 'Rent' });
  const { data } = await app.ask(
    `{ reconciliation(from: "2026-11-17", to: "2026-11-17") { from to timeZone start end lines {
      currency receivingAccount { method } opening received matched partial exceptions returned refunded closing
      otherOutgoing } } }`,
  );
  expect(data.reconciliation).toEqual({
    from: '2026-11-17',
    to: '2026-11-17',
    timeZone: 'UTC',
    start: '2026-11-17T00:00:00.000Z',
    end: '2026-11-18T00:00:00.000Z',
    lines: [
      {
        currency: 'HKD',
        receivingAccount: { method: 'fps' },
        opening: '0.00',
        received: '149.00',
        matched: '128.50',
        partial: '0.00',
        exceptions: '20.50',
        returned: '0.00',
        refunded: '20.50',
        closing: '128.50',
        otherOutgoing: '20.50',
      },
    ],
  });
  const wrong = await app.ask('{ reconciliation(from: "2026-02-30", to: "2026-03-01") { from } }');
  expect(wrong.errors[0].message).toContain('must be a day');
});
