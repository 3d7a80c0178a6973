import { describe, expect } from 'vitest';
import { processResetRequests } from '../../src/domain/accounts/user/reset-password.ts';
import { createPageToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { buildExports } from '../../src/domain/payouts/export/build-exports.ts';
import { dayMs, minuteMs } from '../../src/kit/duration.ts';
import { newTotpSecret } from '../../src/kit/totp.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { desktop } from '../setup/browser.ts';
import { type DashboardSite, dashboardTest, startDashboard } from '../setup/dashboard-site.ts';
import { hashTables } from '../setup/database-state.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { serveJobDashboard } from '../setup/full-app.ts';
import { type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { seedMail } from '../setup/messages.ts';
import { noon, seedApiKey, seedCharge } from '../setup/seed.ts';
import { password, type SignedInUser, signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';
import { authenticatorCode, enableTwoFactor, invite, reauthenticate } from '../setup/users.ts';
import { createVisitor, mutateAsPage, publicOrigin } from '../setup/visitor.ts';

describe('Stolen session of an owner', () => {
  type StolenSession = { user: SignedInUser; secret: string };

  const test = fakeTimeGraphqlTest.extend('session', async ({ app, clock }): Promise<StolenSession> => {
    const user = await signInAs('owner', app, app.merchant);
    const { secret } = await enableTwoFactor(user, { password, clock });
    clock.advance(20 * minuteMs);
    return { user, secret };
  });

  const evil = { email: 'evil@attacker.test', merchantAmount: 9000 } as const;
  const theirAccount = { bank: '004', account: '987654321', holder: 'Evil Attacker' };
  const theirDetails = { bank: '004', account: '987654321', accountName: 'Evil Attacker' };

  const unmatched = (
    clock: FakeClock,
    charge: { receivingAccountId: string },
    id: string,
    reference: string,
  ) => ({
    transfers: [
      {
        ...{
          bankReference: id,
          receivingAccountId: charge.receivingAccountId,
          amount: '9000',
          currency: 'HKD',
        },
        ...{ reference, paidAt: clock.now().toISOString() },
      },
    ],
  });

  const mutateToCode = async (session: StolenSession, name: string, input: object): Promise<string> => {
    const response = await mutate(session.user, name, input);
    return response.code ?? response.__typename;
  };

  test('requires the code for each step of a fraudulent payout, and changes nothing without it', async ({
    app,
    clock,
    session,
  }) => {
    const { service } = app.context;
    // The attacker's own charge, and a customer's paid one with the customer's money on it.
    const theirs = await seedCharge(service, app.merchant, { input: evil });
    const paid = await seedCharge(service, app.merchant, { input: { email: 'ada@example.com' } });
    await payCharge(service, app.merchant, paid, { now: noon });
    const money = await service.prisma.transfer.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const recorded = await mutate(
      app,
      'recordTransfers',
      unmatched(clock, theirs, 'bank-1', 'no reference'),
      'results { transfer { id } }',
    );
    const transferId = recorded.results[0].transfer.id;

    // Records the use of the session before the comparison.
    await session.user.ask('{ viewer { reauthenticatedUntil } }');
    const before = await hashTables(service);
    expect(
      await mutateToCode(
        session,
        'recordTransfers',
        unmatched(clock, theirs, 'hand-1', theirs.paymentReference),
      ),
    ).toBe(rejected);
    const parts = [{ chargeId: theirs.id, amount: '9000' }];
    expect(await mutateToCode(session, 'assignTransfer', { id: transferId, chargeId: theirs.id })).toBe(
      rejected,
    );
    expect(await mutateToCode(session, 'splitTransfer', { id: transferId, parts })).toBe(rejected);
    expect(await mutateToCode(session, 'unassignTransfer', { id: money.id, chargeId: paid.id })).toBe(
      rejected,
    );
    expect(await mutateToCode(session, 'createRefund', { chargeId: paid.id, customerAmount: '1' })).toBe(
      rejected,
    );
    expect(await mutateToCode(session, 'createExport', { kind: 'payouts', format: 'pain_001_001_09' })).toBe(
      rejected,
    );
    expect(await mutateToCode(session, 'updateMerchantSettings', { isSecureModeEnabled: false })).toBe(
      rejected,
    );
    expect(await mutateToCode(session, 'updateMerchantSettings', { underpaymentTolerance: '0.02' })).toBe(
      rejected,
    );
    expect(await upload(app, session)).toBe(rejected);
    expect(await hashTables(service)).toEqual(before);
  });

  const rejected = 'two_factor_code_required';

  async function upload(app: GraphqlApp, session: StolenSession): Promise<string> {
    const response = await app.app.inject({
      method: 'PUT',
      url: '/uploads?fileName=invented.csv',
      headers: {
        cookie: session.user.cookie()!,
        origin: publicOrigin,
        'content-type': 'application/octet-stream',
      },
      payload: 'Date,Amount,Text\n2026-11-20,9000.00,TUNA64262M\n',
    });
    return response.json().code;
  }

  describe('after the owner has created such a refund', () => {
    async function createOwnersRefund(app: GraphqlApp): Promise<string> {
      const { service } = app.context;
      const charge = await seedCharge(service, app.merchant, { input: evil });
      await payCharge(service, app.merchant, charge, { now: noon });
      const created = await mutate(
        app,
        'createRefund',
        { chargeId: charge.id, customerAmount: '9000' },
        'refund { id }',
      );
      return created.refund.id;
    }

    /** Enters payout details like the reader of the mail. */
    async function enterDetails(app: GraphqlApp, refundId: string): Promise<void> {
      const { service } = app.context;
      const refund = await service.prisma.refund.findUniqueOrThrow({ where: { id: refundId } });
      const page = await app.app.inject({
        method: 'POST',
        url: `/pay/refund/${createPageToken(service.secrets, 'refund', refund)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: publicOrigin },
        payload: new URLSearchParams(theirAccount).toString(),
      });
      expect(page.statusCode).toBeLessThan(400);
    }

    test('shows neither the link of the refund, nor its mail, nor later the bank details', async ({
      app,
      session,
    }) => {
      const refundId = await createOwnersRefund(app);
      await app.context.service.prisma.message.updateMany({
        where: { kind: 'refund-link' },
        data: { status: 'captured', nextAttemptAt: null, finishedAt: noon },
      });
      const visible = await session.user.ask(`{ refund(id: "${refundId}") { detailsUrl }
      outboundMessages(filter: { recipient: "${evil.email}" }) { nodes { kind text html } } }`);
      expect(visible.data.refund.detailsUrl).toBe(null);
      expect(visible.data.outboundMessages.nodes).toEqual([{ kind: 'refund_link', text: null, html: null }]);
      expect(await mutateToCode(session, 'submitRefundDetails', { id: refundId, ...theirDetails })).toBe(
        rejected,
      );

      await enterDetails(app, refundId);
      const { data } = await session.user.ask(
        '{ refundsAwaitingPayout { nodes { status payoutDetails { account } } } }',
      );
      expect(data.refundsAwaitingPayout.nodes).toEqual([{ status: 'processing', payoutDetails: null }]);
      for (const name of ['completeRefund', 'reopenRefund'])
        expect(
          await mutateToCode(session, name, {
            id: refundId,
            ...(name === 'reopenRefund' && { reason: 'x' }),
          }),
        ).toBe(rejected);
    });

    test('requires the code to create and to download the payout file', async ({ app, clock, session }) => {
      await enterDetails(app, await createOwnersRefund(app));
      const payouts = { kind: 'payouts', format: 'pain_001_001_09' };
      await reauthenticate(session.user, { secret: session.secret, clock });
      const created: Json = await mutate(session.user, 'createExport', payouts, 'export { id }');
      await buildExports(app.context.service, { clock });
      const download = () =>
        app.app.inject({
          url: `/exports/${created.export.id}/file`,
          headers: { cookie: session.user.cookie()!, origin: publicOrigin },
        });
      expect((await download()).body).toContain('Evil Attacker');
      clock.advance(15 * minuteMs);
      const late = await download();
      expect([late.statusCode, late.json().code]).toEqual([403, rejected]);
    });
  });
});

const developmentMailboxTest = fakeTimeGraphqlTest.extend(
  'app',
  { scope: 'file' },
  async ({ onFileCleanup, fileClock: clock }) => {
    const app = await setupGraphqlApp(onFileCleanup, { clock });
    const owner = await signInAs('owner', app, app.merchant);
    await mutateAsPage(createVisitor(app.app), 'requestPasswordReset', { email: owner.email });
    await processResetRequests(app.context.service, { now: clock.now() });
    await invite(owner, 'owner');
    const ownedBy = { merchantId: app.merchant.merchant.id, now: noon };
    for (const mode of ['live', 'sandbox'] as const) {
      for (const kind of ['refund-link', 'cancel-subscription'] as const)
        await seedMail(app.context.service, { ...ownedBy, mode, kind, to: `${mode}@example.com` });
    }
    // A worker without a mail server leaves messages in this state.
    await app.context.service.prisma.message.updateMany({
      data: { status: 'captured', nextAttemptAt: null, finishedAt: noon },
    });
    return app;
  },
);

describe('Development mailbox', () => {
  const test = developmentMailboxTest;

  /** Reads the kinds of listed messages, and of those whose content is visible. */
  async function read(ask: (query: string, options?: object) => Promise<{ data: Json }>, options = {}) {
    const { data } = await ask('{ outboundMessages(first: 50) { nodes { id kind text html } } }', options);
    const { nodes } = data.outboundMessages as {
      nodes: { id: string; kind: string; text: unknown; html: unknown }[];
    };
    const shown = nodes.filter(({ text, html }) => text !== null || html !== null);
    const single = await Promise.all(
      nodes.map(
        async ({ id }) =>
          (await ask(`{ outboundMessage(id: "${id}") { text } }`, options)).data.outboundMessage.text,
      ),
    );
    expect(single.filter((text) => text !== null)).toHaveLength(shown.length);
    return { listed: new Set(nodes.map(({ kind }) => kind)), shown: new Set(shown.map(({ kind }) => kind)) };
  }

  const team = ['password_reset', 'invitation'];
  const links = ['refund_link', 'cancel_subscription'];

  test('shows messages to an owner without two-factor authentication after the password was entered', async ({
    app,
    clock,
  }) => {
    const colleague = await signInAs('owner', app, app.merchant);
    const { listed, shown } = await read(colleague.ask);
    expect([...listed]).toEqual(expect.arrayContaining([...team, ...links]));
    expect([...shown]).toEqual([]);
    await mutate(colleague, 'reauthenticate', { password });
    expect([...(await read(colleague.ask)).shown]).toEqual(expect.arrayContaining([...team, ...links]));
    clock.advance(15 * minuteMs);
    expect([...(await read(colleague.ask)).shown]).toEqual([]);
  });

  test('shows messages to an owner with two-factor authentication after a code was entered', async ({
    app,
    clock,
  }) => {
    const colleague = await signInAs('owner', app, app.merchant);
    const { secret } = await enableTwoFactor(colleague, { password, clock });
    clock.advance(minuteMs);
    expect([...(await read(colleague.ask)).shown]).toEqual([]);
    expect((await mutate(colleague, 'reauthenticate', { password })).code).toBe('two_factor_code_required');
    await reauthenticate(colleague, { secret, clock });
    expect([...(await read(colleague.ask)).shown]).toEqual(expect.arrayContaining([...team, ...links]));
  });

  test('shows messages for customers of the sandbox to every owner, but not those for the team', async ({
    app,
  }) => {
    const colleague = await signInAs('owner', app, app.merchant);
    const { listed, shown } = await read(colleague.ask, { mode: 'sandbox' });
    expect([...listed]).toEqual(expect.arrayContaining([...team, ...links]));
    expect([...shown].sort()).toEqual([...links].sort());
  });

  test('shows an API key no messages for the team, and only links for which it has the permission', async ({
    app,
  }) => {
    const readShownTo = async (permissions: ('read' | 'write' | 'refund' | 'transfers')[]) => {
      const key = await seedApiKey(app.context.service, app.merchant, { permissions });
      const { listed, shown } = await read((query) => app.ask(query, { as: key }));
      expect([...listed].filter((kind) => team.includes(kind))).toEqual([]);
      return [...shown].sort();
    };
    expect(await readShownTo(['read', 'transfers'])).toEqual([]);
    expect(await readShownTo(['read', 'write'])).toEqual(['cancel_subscription']);
    expect(await readShownTo(['read', 'refund'])).toEqual(['refund_link']);
  });

  test('rejects an expired session that had re-authenticated', async ({ app, clock }) => {
    const colleague = await signInAs('owner', app, app.merchant);
    await mutate(colleague, 'reauthenticate', { password });
    clock.advance(15 * dayMs);
    expect((await colleague.ask('{ outboundMessages { nodes { text } } }')).errors[0].extensions.code).toBe(
      'unauthenticated',
    );
  });
});

const stolenSessionTest = dashboardTest.extend('dashboard', { scope: 'file' }, ({ onFileCleanup }) =>
  startDashboard(onFileCleanup, async (testApp) => {
    const agenda = await serveJobDashboard(onFileCleanup, testApp);
    const failed = await agenda.create('send-messages').save();
    failed.fail(new Error('the mail server does not answer'));
    await agenda.db.saveJobState(failed.attrs, undefined);
  }),
);

describe('Stolen session in a browser', () => {
  const test = stolenSessionTest;

  /** Enables two-factor authentication; returns a function that creates codes for one use each. */
  async function enableTwoFactor(site: DashboardSite, email: string): Promise<() => string> {
    const { prisma, secrets } = site.service;
    const secret = newTotpSecret();
    const { id } = await prisma.merchantUser.findFirstOrThrow({ where: { email } });
    const totpEncrypted = secrets.encrypt(secret, 'merchant_user.totp_encrypted', id);
    await prisma.merchantUser.update({ where: { id }, data: { totpEncrypted } });
    // The code of an earlier step can expire before it is sent.
    let step = 0;
    return () => authenticatorCode(secret, new Date(), step++);
  }

  test('changes jobs only after a recent code, and each change is audited', async ({ site }) => {
    const operator = await site.newUser('operator');
    const page = await site.open('/jobs', desktop, operator);
    const nextCode = await enableTwoFactor(site, operator.email);
    /** Changes a job like the job dashboard at /jobs/. */
    const changeJobs = () =>
      page.evaluate(async () => {
        const body = JSON.stringify({ jobIds: [] });
        const headers = { 'content-type': 'application/json' };
        const response = await fetch('/jobs/api/jobs/delete', { method: 'POST', headers, body });
        return { status: response.status, ...(response.status === 403 && (await response.json())) };
      });
    const changes = () =>
      site.service.prisma.auditEntry.findMany({ where: { action: 'job.changed' }, orderBy: { id: 'asc' } });

    expect(await changeJobs()).toMatchObject({
      status: 403,
      code: 'two_factor_code_required',
      detail: expect.stringContaining('select "Enter a code"'),
    });
    expect(await changes()).toEqual([]);
    expect(await page.evaluate(async () => (await fetch('/jobs/api')).status)).toBe(200);

    await page.getByRole('button', { name: 'Retry send-messages' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
    await dialog.getByLabel('Code').fill(nextCode());
    await dialog.getByLabel('Code').press('Enter');
    await page.getByText('No failed jobs').waitFor();
    expect(await changeJobs()).toMatchObject({ status: 200 });
    const { id } = await site.service.prisma.merchantUser.findFirstOrThrow({
      where: { email: operator.email },
    });
    expect(await changes()).toMatchObject([
      { actor: `operator:${id}`, detail: { method: 'POST', path: '/jobs/api/jobs/retry' } },
      { actor: `operator:${id}`, detail: { method: 'POST', path: '/jobs/api/jobs/delete' } },
    ]);

    await site.service.prisma.userSession.updateMany({ data: { reauthenticatedAt: null } });
    await page.getByRole('button', { name: 'Enter a code' }).click();
    await dialog.getByLabel('Code').fill(nextCode());
    await dialog.getByLabel('Code').press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await changeJobs()).toMatchObject({ status: 200 });
  });

  test('creates a certificate only after a code, which the dashboard asks for', async ({ site }) => {
    const page = await site.open('/certificates', desktop);
    const nextCode = await enableTwoFactor(site, site.merchant.email);
    const count = () => site.service.prisma.certificate.count({ where: { mode: 'live' } });
    const before = await count();
    await page.getByRole('button', { name: 'New certificate' }).click();
    await page.getByRole('button', { name: 'Create certificate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
    await dialog.getByLabel('Code').waitFor();
    expect(await count()).toBe(before);
    await dialog.getByLabel('Code').fill(nextCode());
    await dialog.getByLabel('Code').press('Enter');
    await expect.poll(count).toBe(before + 1);
  });
});
