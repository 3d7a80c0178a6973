import { expect } from 'vitest';
import type { Charge } from '../../../prisma/client/client.ts';
import { exportCustomer } from '../../../src/domain/operations/customer-data/export-customer.ts';
import { appTest } from '../../setup/app-fixtures.ts';
import { feedSenders } from '../../setup/feed-senders.ts';
import { readDeliveries, reportPayment, seedBankFeed, sendDelivery } from '../../setup/feeds.ts';
import { seedCharge } from '../../setup/seed.ts';

const sender = 'Casso V1';

type Item = Record<string, unknown>;
type Report = { data: [Item] };

const report = (charge: Charge, id: string, payerName: string): Report =>
  JSON.parse(reportPayment(feedSenders[sender]!, charge, { id, payerName }));

appTest(
  'An exported customer has the body of a delivery only if it reports nothing but their payments',
  async ({ app, service, merchant }) => {
    const seed = (email: string) =>
      seedCharge(service, merchant, {
        input: { method: 'viettel-pay', merchantCurrency: 'VND', merchantAmount: 250_000, email },
      });
    const [ada, bob, cyd] = [
      await seed('ada@a.example'),
      await seed('bob@b.example'),
      await seed('c@c.example'),
    ];
    const feed = await seedBankFeed(service, merchant, {
      sender,
      receivingAccountId: ada.receivingAccountId,
    });
    const adas = report(ada, '1', 'WONG ADA');
    const [bobs] = report(bob, '2', 'LEE BOB').data;
    const cyds = report(cyd, '3', 'CHAN CYD');
    const again = { ...adas.data[0], id: 4 };
    const ignored = { ...bobs, id: 5, amount: 0 };
    const reports = [{ ...adas, data: [...adas.data, bobs] }, cyds, { ...adas, data: [again] }, adas];
    for (const body of [...reports, { ...adas, data: [again, ignored] }])
      expect((await sendDelivery(app, feed, { sender, body: JSON.stringify(body) })).status).toBe(200);
    const ids = (await readDeliveries(service, feed)).map(({ id }) => id);

    const exported = async ({ customerId: id }: Charge) => exportCustomer(service, { id });
    const ofAda = await exported(ada);
    const createdAt = expect.any(Date);
    expect(ofAda.feedDeliveries).toEqual([
      { id: ids[0], createdAt },
      { id: ids[2], createdAt, body: JSON.stringify(reports[2]) },
      { id: ids[3], createdAt, body: JSON.stringify(adas) },
      { id: ids[4], createdAt },
    ]);
    expect(JSON.stringify(ofAda)).not.toMatch(/LEE BOB|bob@b/);
    expect((await exported(bob)).feedDeliveries).toEqual([{ id: ids[0], createdAt }]);
    expect((await exported(cyd)).feedDeliveries).toEqual([
      { id: ids[1], createdAt, body: JSON.stringify(cyds) },
    ]);
  },
);
