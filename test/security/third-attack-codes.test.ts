import { expect, test } from 'vitest';
import { newTotpSecret } from '../../src/kit/totp.ts';
import { desktop } from '../setup/browser.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { setupDashboardSite } from '../setup/dashboard-site.ts';
import { serveJobDashboard } from '../setup/full-app.ts';
import { authenticatorCode } from '../setup/users.ts';

/** Third penetration test: a stolen session changes no jobs and creates no certificate that signs. */

const site = setupDashboardSite(
  {},
  {
    async prepare(served) {
      const agenda = await serveJobDashboard(onCleanup, served);
      const failed = await agenda.create('send-messages').save();
      failed.fail(new Error('the mail server does not answer'));
      await agenda.db.saveJobState(failed.attrs, undefined);
    },
  },
);

// Registered after the site, so that it runs first: the jobs stop before the database is dropped.
const onCleanup = cleanupAfterFile();

/** Enables two-factor authentication; answers the user's codes, each for one use. */
async function enableTwoFactor(email: string): Promise<() => string> {
  const { prisma, secrets } = site.service;
  const secret = newTotpSecret();
  const { id } = await prisma.merchantUser.findFirstOrThrow({ where: { email } });
  const totpEncrypted = secrets.encrypt(secret, 'merchant_user.totp_encrypted', id);
  await prisma.merchantUser.update({ where: { id }, data: { totpEncrypted } });
  let step = -1;
  return () => authenticatorCode(secret, new Date(), step++);
}

test('an operator changes jobs only after a recent code, and each change is audited', async () => {
  const operator = await site.newUser('operator');
  const page = await site.open('/jobs', desktop, operator);
  const nextCode = await enableTwoFactor(operator.email);
  /** As the job dashboard at /jobs/ sends it. */
  const changeJobs = () =>
    page.evaluate(async () => {
      const body = JSON.stringify({ jobIds: [] });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/jobs/api/jobs/delete', { method: 'POST', headers, body });
      return { status: answer.status, ...(answer.status === 403 && (await answer.json())) };
    });
  const changes = () =>
    site.service.prisma.auditEntry.findMany({ where: { action: 'job.changed' }, orderBy: { id: 'asc' } });

  expect(await changeJobs()).toMatchObject({
    status: 403,
    code: 'second_factor_required',
    detail: expect.stringContaining('select "Enter a code"'),
  });
  expect(await changes()).toEqual([]);
  expect(await page.evaluate(async () => (await fetch('/jobs/api')).status)).toBe(200);

  await page.getByRole('button', { name: 'Retry send-messages' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm your identity' });
  await asked.getByLabel('Code').fill(nextCode());
  await asked.getByLabel('Code').press('Enter');
  await page.getByText('No failed jobs').waitFor();
  expect(await changeJobs()).toMatchObject({ status: 200 });
  const { id } = await site.service.prisma.merchantUser.findFirstOrThrow({
    where: { email: operator.email },
  });
  expect(await changes()).toMatchObject([
    { actor: `user:${id}`, detail: { method: 'POST', path: '/jobs/api/jobs/retry' } },
    { actor: `user:${id}`, detail: { method: 'POST', path: '/jobs/api/jobs/delete' } },
  ]);

  await site.service.prisma.userSession.updateMany({ data: { reauthenticatedAt: null } });
  await page.getByRole('button', { name: 'Enter a code' }).click();
  await asked.getByLabel('Code').fill(nextCode());
  await asked.getByLabel('Code').press('Enter');
  await asked.waitFor({ state: 'hidden' });
  expect(await changeJobs()).toMatchObject({ status: 200 });
});

test('an owner creates a certificate only after a code, which the dashboard asks for', async () => {
  const page = await site.open('/certificates', desktop);
  const nextCode = await enableTwoFactor(site.merchant.email);
  const count = () => site.service.prisma.certificate.count({ where: { mode: 'live' } });
  const before = await count();
  await page.getByRole('button', { name: 'New certificate' }).click();
  await page.getByRole('button', { name: 'Create certificate' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm your identity' });
  await asked.getByLabel('Code').waitFor();
  expect(await count()).toBe(before);
  await asked.getByLabel('Code').fill(nextCode());
  await asked.getByLabel('Code').press('Enter');
  await expect.poll(count).toBe(before + 1);
});
