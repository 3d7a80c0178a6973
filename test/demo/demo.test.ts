import { expect, onTestFinished, test } from 'vitest';
import { ensureDemoSubscriptions } from '../../src/demo/demo-subscriptions.ts';
import { formatWelcome } from '../../src/demo/welcome.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { readConfig } from '../../src/kit/config.ts';
import { noon, seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const production = {
  DATABASE_URL: 'postgres://127.0.0.1/causeway',
  APP_SECRET: 'a secret that is long enough for every check',
  PUBLIC_URL: 'https://pay.shop.example',
};

const mailServer = { SMTP_URL: 'smtps://mail.shop.example', MAIL_FROM: 'pay@shop.example' };

const printed = (env: NodeJS.ProcessEnv, address?: string) =>
  formatWelcome({ config: readConfig(env), address, demo: undefined, seconds: 1 });

test('the subscriptions of the demo are created once, also while workers run', async () => {
  const service = await setupService(onTestFinished);
  const now = noon;
  const { merchant } = await seedMerchant(service, {}, now);
  let isCreated = false;
  const worker = async () => {
    while (!isCreated) await expireCharges(service, { now });
  };
  const create = async () => {
    await ensureDemoSubscriptions(service, merchant.id, now).finally(() => {
      isCreated = true;
    });
  };
  await Promise.all([create(), worker()]);
  const readSubscriptions = () =>
    service.prisma.subscription.findMany({
      select: { email: true, status: true, numPaymentsComplete: true },
      orderBy: { id: 'asc' },
    });
  const created = await readSubscriptions();
  expect(created).toEqual([
    { email: 'mei.lin@example.com', status: 'inactive', numPaymentsComplete: 1 },
    { email: 'somchai@example.com', status: 'active', numPaymentsComplete: 1 },
    { email: 'aisyah@example.com', status: 'active', numPaymentsComplete: 1 },
    { email: 'jack@example.com', status: 'cancelled', numPaymentsComplete: 1 },
    { email: 'ada@example.com', status: 'inactive', numPaymentsComplete: 0 },
  ]);
  // The books count transfers, so each paid charge has one. Another transfer needs review.
  const where = { merchantId: merchant.id, mode: 'sandbox' } as const;
  const paid = await service.prisma.charge.findMany({ where: { ...where, status: 'completed' } });
  expect(paid.map(({ completedBy }) => completedBy)).toEqual(Array(4).fill('transfer'));
  expect(await service.prisma.transfer.count({ where: { ...where, status: 'exception' } })).toBe(1);
  await ensureDemoSubscriptions(service, merchant.id, now);
  expect(await readSubscriptions()).toEqual(created);
});

test.each(['http://127.0.0.1:4000', undefined])(
  'the welcome text warns of a missing mail server in production only: %s',
  (address) => {
    const warning = 'SMTP_URL is not set, so no email is delivered';
    expect(printed(production, address)).toContain(warning);
    expect(printed({ ...production, ...mailServer }, address)).not.toContain('SMTP_URL');
    expect(printed({}, address)).not.toContain('SMTP_URL');
  },
);
