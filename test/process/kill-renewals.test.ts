import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';
import { copySubscription, seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';
import { plainEnv } from './run-service.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);
const started = new Date('2026-01-15T12:00:00.000Z');
const now = new Date('2026-02-13T12:00:00.000Z');
const many = count(600, 5_000);
const script = join(import.meta.dirname, 'renew-process.ts');

function sweepElsewhere() {
  const args = [script, service.connectionString, now.toISOString()];
  return spawn(process.execPath, args, { env: plainEnv({}), stdio: 'ignore' });
}

test(`a worker killed in the middle of ${many} renewals leaves each done whole or not at all; the next does the rest, once`, async () => {
  const made = await seedMerchant(service, {}, started);
  const merchantId = made.merchant.id;
  const plan = await seedPlan(service, made, { input: { sendEmail: true }, now: started });
  const first = await seedActiveSubscription(service, made, { plan, now: started });
  await copySubscription(
    service,
    first,
    Array.from({ length: many - 1 }, () => ({})),
  );
  const countInvoices = () => service.prisma.invoice.count({ where: { merchantId } });

  const worker = sweepElsewhere();
  await expect.poll(countInvoices, { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
  worker.kill('SIGKILL');
  await once(worker, 'close');
  const done = await countInvoices();
  expect(done).toBeLessThan(many);
  await expectInvariants(service);

  expect(await renewSubscriptions(service, { now })).toBe(many - done);
  const invoices = await service.prisma.invoice.findMany({
    where: { merchantId },
    orderBy: { number: 'asc' },
  });
  expect(invoices.map(({ number }) => number)).toEqual(Array.from({ length: many }, (_, i) => i + 1));
  expect(new Set(invoices.map(({ subscriptionId }) => subscriptionId)).size).toBe(many);
  const told = await service.prisma.event.count({ where: { type: 'subscription_invoice_due' } });
  const mails = await service.prisma.message.count({ where: { kind: 'invoice-due' } });
  expect({ told, mails }).toEqual({ told: many, mails: many });
  await expectInvariants(service);
}, 120_000);
