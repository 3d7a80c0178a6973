import { expect, test } from 'vitest';
import { type JobContext, serviceJobs } from '../../src/jobs/definitions.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { newEventId, newId } from '../../src/kit/id.ts';
import { seedSession } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { copyRows } from '../setup/copy-rows.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** Runs that are told to end while more is due than they take at once. */

const service = await setupService(onCleanup);
const merchant = await seedMerchant(service);
const merchantId = merchant.merchant.id;
const clock = createFakeClock(new Date(noon.getTime() + 8 * dayMs));
const context = { service, clock, wake: () => {} } as unknown as JobContext;

type Sweep = { job: string; batch: number; due: string; fill: (count: number) => Promise<unknown> };

const sweeps: Sweep[] = [
  {
    job: 'relay-events',
    batch: 500,
    due: 'event WHERE relayed_at IS NULL',
    async fill(count) {
      const { id } = await seedCharge(service, merchant, { now: noon });
      const { id: of } = await service.prisma.event.findFirstOrThrow({ where: { objectId: id } });
      const copy = () => ({ of, id: newEventId(noon), object_id: newId('charge', noon) });
      await copyRows(service, 'event', Array.from({ length: count - 1 }, copy));
    },
  },
  {
    job: 'expire-charges',
    batch: 200,
    due: `charge WHERE status = 'pending'`,
    async fill(count) {
      const { id: of } = await seedCharge(service, merchant, { now: noon });
      const copy = (_: unknown, n: number) => ({ of, id: newId('charge', noon), payment_reference: `N${n}` });
      await copyRows(service, 'charge', Array.from({ length: count - 1 }, copy));
    },
  },
  {
    job: 'expire-sessions',
    batch: 200,
    due: `checkout_session WHERE status = 'created'`,
    async fill(count) {
      const { id: of } = await seedSession(service, merchant, { now: noon });
      const copy = () => ({ of, id: newId('session', noon) });
      await copyRows(service, 'checkout_session', Array.from({ length: count - 1 }, copy));
    },
  },
  {
    job: 'fold-charge-counts',
    batch: 20_000,
    due: 'charge_count_delta',
    fill: (count) => service.prisma.$executeRaw`
      INSERT INTO charge_count_delta (merchant_id, mode, day, method, customer_currency, to_status)
      SELECT ${merchantId}, 'live', '2026-11-17', 'fps', 'HKD', 'expired' FROM generate_series(1, ${count}::int)`,
  },
  {
    job: 'answer-reset-requests',
    batch: 50,
    due: 'password_reset_request',
    fill: (count) => service.prisma.$executeRaw`
      INSERT INTO password_reset_request (email, ip_address, created_at)
      SELECT n || '@nobody.example', '198.51.100.7', ${noon} FROM generate_series(1, ${count}::int) n`,
  },
  {
    job: 'prune-idempotency-keys',
    batch: 5_000,
    due: 'idempotency_key',
    fill: (count) => service.prisma.$executeRaw`
      INSERT INTO idempotency_key (merchant_id, mode, key, fingerprint, status, response_encrypted, created_at, expires_at)
      SELECT ${merchantId}, 'live', n::text, '', 200, '', ${noon}, ${noon} FROM generate_series(1, ${count}::int) n`,
  },
];

test.each(sweeps)(
  '$job takes no more than one batch once it is told to end, and the next run the rest',
  async ({ job, batch, due, fill }) => {
    const { work } = serviceJobs.find(({ name }) => name === job)!;
    const countDue = async () => {
      const { rows } = await service.pool.query(`SELECT count(*)::int AS count FROM ${due}`);
      return rows[0]?.count as number;
    };
    await fill(batch + 1);
    const before = await countDue();
    await work(context, AbortSignal.abort());
    expect(await countDue()).toBe(before - batch);
    await work(context, new AbortController().signal);
    expect(await countDue()).toBe(0);
  },
);
