import { describe, expect } from 'vitest';
import type { MerchantCaller } from '../../../src/domain/accounts/api-key/permissions.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { declineRestrictedAccess } from '../../../src/domain/accounts/merchant/decline-restricted-access.ts';
import { findAccessVolumes } from '../../../src/domain/accounts/merchant/find-access-volumes.ts';
import { grantRestrictedAccess } from '../../../src/domain/accounts/merchant/grant-restricted-access.ts';
import { requestRestrictedAccess } from '../../../src/domain/accounts/merchant/request-restricted-access.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { seedCaller, toOwnerCaller } from '../../setup/callers.ts';
import { copyCompletedCharge } from '../../setup/copy-rows.ts';
import { count } from '../../setup/counts.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { seedMerchant } from '../../setup/seed.ts';

const now = new Date('2026-02-10T08:00:00Z');
const months = ['2025-08', '2025-09', '2025-10', '2025-11', '2025-12', '2026-01'];
const needed = 200_000_000n;

const test = serviceTest
  .extend('merchant', ({ service }) => seedMerchant(service, { restrictedAccess: 'none' }))
  .extend('owner', ({ service, merchant }) => seedCaller(service, merchant, { now }));

const complete = (
  service: Service,
  merchant: NewMerchant,
  completedAt: string,
  cents: bigint | null,
  more: object = {},
) => copyCompletedCharge(service, merchant, { at: new Date(completedAt), cents, ...more });
const requestAccess = (service: Service, owner: MerchantCaller) =>
  requestRestrictedAccess(service, { caller: owner, now });
const volumes = async (service: Service, merchant: NewMerchant) =>
  (await findAccessVolumes(service, { merchantId: merchant.merchant.id, now })).map(
    ({ month, volumeCents }) => [month, volumeCents],
  );
const entries = (service: Service, merchant: NewMerchant) =>
  service.prisma.auditEntry.findMany({
    where: { merchantId: merchant.merchant.id, action: { startsWith: 'access.' } },
    orderBy: { id: 'asc' },
  });

async function fill(service: Service, merchant: NewMerchant, lastMonth = needed): Promise<void> {
  for (const month of months) {
    const cents = month === '2026-01' ? lastMonth : needed;
    await complete(service, merchant, `${month}-03T10:00:00Z`, cents - 1n);
    await complete(service, merchant, `${month}-20T10:00:00Z`, 1n);
  }
}

describe('Request for restricted access', () => {
  test('is granted immediately after six months of exactly USD 2,000,000', async ({
    service,
    merchant,
    owner,
  }) => {
    await fill(service, merchant);
    const response = await requestAccess(service, owner);
    expect(response.merchant.restrictedAccess).toBe('granted');
    expect(response.monthlyVolumes).toEqual(
      months.map((month) => ({ month, volumeCents: needed, shortfallCents: 0n })),
    );
    expect(await entries(service, merchant)).toMatchObject([
      { action: 'access.granted', actor: owner.actor },
    ]);
  });

  test('is left to an operator if a month is one cent short, and reports the month and its shortfall', async ({
    service,
    merchant,
    owner,
  }) => {
    await fill(service, merchant, needed - 1n);
    const response = await requestAccess(service, owner);
    expect(response.merchant).toMatchObject({
      restrictedAccess: 'requested',
      restrictedAccessRequestedAt: now,
    });
    expect(response.monthlyVolumes.filter(({ shortfallCents }) => shortfallCents > 0n)).toEqual([
      { month: '2026-01', volumeCents: needed - 1n, shortfallCents: 1n },
    ]);
  });

  test('includes a charge in the UTC month in which it completed, in any time zone of the merchant', async ({
    service,
    merchant,
  }) => {
    await service.prisma.merchant.update({
      where: { id: merchant.merchant.id },
      data: { timeZone: 'Pacific/Auckland' },
    });
    await complete(service, merchant, '2025-07-31T23:59:59.999Z', 1n);
    await complete(service, merchant, '2025-08-01T00:00:00.000Z', 20n);
    await complete(service, merchant, '2025-08-31T23:59:59.999Z', 300n, {
      createdAt: new Date('2025-08-30T00:00:00Z'),
    });
    await complete(service, merchant, '2025-09-01T00:00:00.000Z', 4_000n, {
      createdAt: new Date('2025-08-31T00:00:00Z'),
    });
    await complete(service, merchant, '2026-01-31T23:59:59.999Z', 50_000n);
    await complete(service, merchant, '2026-02-01T00:00:00.000Z', 600_000n);
    expect(await volumes(service, merchant)).toEqual([
      ['2025-08', 320n],
      ['2025-09', 4_000n],
      ['2025-10', 0n],
      ['2025-11', 0n],
      ['2025-12', 0n],
      ['2026-01', 50_000n],
    ]);
  });

  test('excludes charges without a rate, incomplete ones, and those of the sandbox and other merchants', async ({
    service,
    merchant,
  }) => {
    const completedAt = '2025-12-05T00:00:00Z';
    await complete(service, merchant, completedAt, null);
    await complete(service, merchant, completedAt, 5n, { status: 'expired' });
    await complete(service, merchant, completedAt, 6n, { mode: 'sandbox' });
    const other = await seedMerchant(service, { restrictedAccess: 'none' });
    await copyCompletedCharge(service, other, { at: new Date(completedAt), cents: 7n });
    await complete(service, merchant, completedAt, 8n);
    expect(Object.fromEntries(await volumes(service, merchant))).toMatchObject({ '2025-12': 8n });
  });

  test('has exact sums beyond 64 bits of cents', async ({ service, merchant }) => {
    await complete(service, merchant, '2025-12-05T00:00:00Z', 9_000_000_000_000_000_000n);
    await complete(service, merchant, '2025-12-06T00:00:00Z', 9_000_000_000_000_000_001n);
    expect(Object.fromEntries(await volumes(service, merchant))).toMatchObject({
      '2025-12': 18_000_000_000_000_000_001n,
    });
  });

  test('is decided again when it is repeated, and stays granted', async ({ service, merchant, owner }) => {
    await fill(service, merchant, needed - 1n);
    expect((await requestAccess(service, owner)).merchant.restrictedAccess).toBe('requested');
    await complete(service, merchant, '2026-01-30T00:00:00Z', 1n);
    expect((await requestAccess(service, owner)).merchant.restrictedAccess).toBe('granted');
    await service.prisma.charge.updateMany({ where: {}, data: { usdAmount: null } });
    expect((await requestAccess(service, owner)).merchant.restrictedAccess).toBe('granted');
    expect((await entries(service, merchant)).map(({ action }) => action)).toEqual([
      'access.requested',
      'access.granted',
    ]);
  });

  test('is rejected for an API key and for a user who is not an owner', async ({ service, merchant }) => {
    await fill(service, merchant);
    const developer = await seedCaller(service, merchant, { role: 'developer', now });
    for (const caller of [toOwnerCaller(merchant), developer])
      await expect(requestRestrictedAccess(service, { caller, now })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    expect(await entries(service, merchant)).toEqual([]);
  });

  test('is granted once by concurrent requests', async ({ service, merchant, owner }) => {
    await fill(service, merchant);
    const requests = await Promise.all(
      Array.from({ length: count(10, 50) }, () => requestAccess(service, owner)),
    );
    expect(new Set(requests.map((request) => request.merchant.restrictedAccess))).toEqual(
      new Set(['granted']),
    );
    expect(await entries(service, merchant)).toHaveLength(1);
  });
});

describe('Operator', () => {
  const by = { actor: 'operator', now };

  test('grants access, or declines it with a reason, which a new request clears', async ({
    service,
    merchant,
    owner,
  }) => {
    const { id: merchantId } = merchant.merchant;
    await requestAccess(service, owner);
    const declined = await declineRestrictedAccess(service, { ...by, merchantId, reason: ' Too young. ' });
    expect(declined).toMatchObject({
      restrictedAccess: 'none',
      restrictedAccessDeclineReason: 'Too young.',
      restrictedAccessRequestedAt: null,
    });
    expect((await requestAccess(service, owner)).merchant).toMatchObject({
      restrictedAccess: 'requested',
      restrictedAccessDeclineReason: null,
    });
    const granted = await grantRestrictedAccess(service, { ...by, merchantId });
    expect(granted).toMatchObject({ restrictedAccess: 'granted', restrictedAccessRequestedAt: null });
    expect(
      (await entries(service, merchant)).map(({ action, detail }) => [action, Object.keys(detail as object)]),
    ).toEqual([
      ['access.requested', months],
      ['access.declined', ['before', 'reason']],
      ['access.requested', months],
      ['access.granted', []],
    ]);
  });

  test.for([[''], [' '], ['x'.repeat(501)], ['\0']] as const)(
    'needs a reason to decline: not %j',
    async ([reason], { service, merchant }) => {
      const options = { ...by, merchantId: merchant.merchant.id, reason };
      await expect(declineRestrictedAccess(service, options)).rejects.toMatchObject({
        code: 'invalid_request',
      });
    },
  );

  test('receives an error for an unknown merchant', async ({ service }) => {
    await expect(grantRestrictedAccess(service, { ...by, merchantId: 'mer_none' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
