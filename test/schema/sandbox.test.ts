import { describe, expect } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { ownerTest, twoFactorTest } from '../setup/auth.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { minutesAfter, noon, seedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';
import { reauthenticate } from '../setup/users.ts';
import type { Visitor } from '../setup/visitor.ts';

const mutation = `mutation { deleteSandboxData { __typename
  ... on DeleteSandboxDataSuccess { merchant { id } } ... on UserError { code } } }`;

const deleteData = async (user: Pick<Visitor, 'ask'>, mode: Mode = 'sandbox') =>
  (await user.ask(mutation, { mode })).data.deleteSandboxData;

describe('deleteSandboxData', () => {
  ownerTest(
    'deletes only the sandbox data of the own merchant, and sets its clock back',
    async ({ app, service, merchant, owner }) => {
      const { prisma } = service;
      const { id } = merchant.merchant;
      const live = await seedCharge(service, merchant);
      await payCharge(service, merchant, live, { now: noon });
      const others = await seedCharge(service, app.otherMerchant, { mode: 'sandbox' });
      const charge = await seedCharge(service, merchant, { mode: 'sandbox' });
      await app.ask(
        `mutation { simulateTransfer(input: { chargeId: "${charge.id}", kind: exact }) { __typename } }`,
        { as: merchant.keys.sandbox },
      );
      await app.ask(
        `mutation { advanceTestClock(input: { advanceTo: "${minutesAfter(noon, 5).toISOString()}" }) { __typename } }`,
        { as: merchant.keys.sandbox },
      );
      const list = '{ charges(first: 9) { nodes { id } } testClock { now } }';
      const paid = await app.ask(list, { as: merchant.keys.sandbox });
      expect(paid.data.charges.nodes).toEqual([{ id: charge.id }]);

      expect(await deleteData(owner)).toEqual({ __typename: 'DeleteSandboxDataSuccess', merchant: { id } });
      const { data } = await app.ask(list, { as: merchant.keys.sandbox });
      expect(data).toEqual({ charges: { nodes: [] }, testClock: { now: noon.toISOString() } });
      const charges = await prisma.charge.findMany({
        where: { id: { in: [live.id, others.id, charge.id] } },
      });
      expect(charges.map((kept) => kept.id).sort()).toEqual([live.id, others.id].sort());
      const entries = await prisma.auditEntry.findMany({
        where: { action: 'merchant.sandbox_reset', merchantId: id },
      });
      expect(entries).toMatchObject([
        {
          actor: expect.stringMatching(/^user:usr_/),
          mode: 'sandbox',
          objectId: id,
          ipAddress: owner.address,
        },
      ]);
      await expectInvariants(service);
    },
  );

  ownerTest(
    'rejects live mode, API keys and users who are not owners',
    async ({ app, service, merchant, owner }) => {
      const charge = await seedCharge(service, merchant, { mode: 'sandbox' });
      expect(await deleteData(owner, 'live')).toMatchObject({ code: 'sandbox_only' });
      const developer = await signInAs('developer', app, merchant);
      expect(await deleteData(developer)).toMatchObject({ code: 'permission_denied' });
      const { data } = await app.ask(mutation, { as: merchant.keys.sandbox });
      expect(data.deleteSandboxData).toMatchObject({ code: 'permission_denied' });
      expect(await service.prisma.charge.count({ where: { id: charge.id } })).toBe(1);
    },
  );

  ownerTest('is rejected while the test clock is being advanced', async ({ service, merchant, owner }) => {
    const { id } = merchant.merchant;
    const data = { testClockLeasedUntil: minutesAfter(noon, 1), testClockTarget: minutesAfter(noon, 9) };
    await service.prisma.merchant.update({ where: { id }, data });
    expect(await deleteData(owner)).toMatchObject({ code: 'test_clock_running' });
    const where = { merchantId: id, action: 'merchant.sandbox_reset' };
    expect(await service.prisma.auditEntry.count({ where })).toBe(0);
  });

  twoFactorTest(
    'requires a recent two-factor code although it affects only the sandbox',
    async ({ twoFactor: { user, secret }, clock }) => {
      expect(await deleteData(user)).toMatchObject({ code: 'two_factor_code_required' });
      await reauthenticate(user, { secret, clock });
      expect(await deleteData(user)).toMatchObject({ __typename: 'DeleteSandboxDataSuccess' });
    },
  );
});
