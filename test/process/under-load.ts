import { expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { count } from '../setup/counts.ts';
import { expectInvariants } from '../setup/invariants.ts';
import type { Receiver } from '../setup/receiver.ts';
import { type Ledger, newLedger, type Shop, useService } from './client-ledger.ts';

const clients = 4;

/** The service under test: its database, the merchant whose clients load it, and the endpoint of its live webhook. */
export type Site = {
  service: Service;
  merchant: NewMerchant;
  receiver: Receiver;
  url: () => string;
  now?: () => Date;
  mayExpire?: boolean;
  /** The log of the service, for what went wrong. */
  logged: () => string;
};

/**
 * Does `fault` while clients are at work, lets them go on, and holds what they know against what is there: all that was
 * acknowledged is there once, nothing is half done, nothing else was made, and the merchant is told of all of it.
 */
export async function underLoad(site: Site, fault: (ledger: Ledger) => Promise<void>): Promise<Ledger> {
  const { service } = site;
  const ledger = newLedger();
  const before = await countMade(service);
  let isOver = false;
  const shop: Shop = {
    url: site.url,
    keys: site.merchant.keys,
    now: site.now ?? (() => new Date()),
    mayExpire: site.mayExpire ?? false,
    isOver: () => isOver,
  };
  const load = Promise.allSettled(Array.from({ length: clients }, () => useService(shop, ledger)));
  const moreEnds = async () => {
    const enough = ledger.ends.size + count(1, 2) * clients;
    const stands = () => (ledger.wrong.length > 0 ? 'wrong' : ledger.ends.size > enough ? 'more' : 'waiting');
    await expect.poll(stands, { timeout: 60_000 }).not.toBe('waiting');
  };
  try {
    await moreEnds();
    await fault(ledger);
    await moreEnds();
  } finally {
    isOver = true;
    await load;
  }
  expect(ledger.wrong.map((answer) => withLog(answer, site.logged()))).toEqual([]);
  await expectKept(site, ledger, before);
  return ledger;
}

function withLog(answer: string, log: string): string {
  const [requestId = 'none'] = /req_[\w-]+/.exec(answer) ?? [];
  return [answer, ...log.split('\n').filter((line) => line.includes(requestId))].join('\n');
}

async function countMade({ prisma }: Service): Promise<number[]> {
  return [await prisma.charge.count(), await prisma.refund.count(), await prisma.checkoutSession.count()];
}

async function expectKept({ service, receiver }: Site, ledger: Ledger, before: number[]): Promise<void> {
  const { prisma } = service;
  const made = [ledger.charges, ledger.refunds, ledger.sessions].map((byKey) => {
    const ids = [...byKey.values()].flatMap((known) => [...known]);
    expect(ids).toHaveLength(byKey.size);
    return ids;
  });
  const [charges, refunds, sessions] = made as [string[], string[], string[]];
  const after = await countMade(service);
  expect(after.map((total, i) => total - before[i]!)).toEqual(made.map((ids) => ids.length));

  const standing = async () => {
    const rows = await prisma.charge.findMany({
      where: { id: { in: charges } },
      select: { id: true, status: true },
    });
    return new Map(rows.map(({ id, status }) => [id, status]));
  };
  const wrong = async () => {
    const found = await standing();
    return charges.filter((id) => found.get(id) !== ledger.ends.get(id));
  };
  await expect.poll(wrong, { timeout: 30_000 }).toEqual([]);
  const refunded = await prisma.refund.findMany({ where: { id: { in: refunds } } });
  expect(new Set(refunded.map(({ chargeId }) => chargeId))).toEqual(ledger.told);
  expect(refunded.every(({ customerAmount }) => customerAmount === 1_050n)).toBe(true);
  const cancelled = await prisma.checkoutSession.count({
    where: { id: { in: sessions }, status: 'cancelled' },
  });
  expect(cancelled).toBe(sessions.length);

  const untold = new Set(ledger.told);
  await receiver.waitFor((requests) => {
    for (const { body } of requests) untold.delete(JSON.parse(body).chargeId);
    return untold.size === 0;
  }, 60_000);
  await expectInvariants(service);
}
