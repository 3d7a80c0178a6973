import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { ExportKind } from '../../prisma/client/client.ts';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import { renderInvoice } from '../../src/domain/billing/invoice/render-invoice.ts';
import { openInvoicePage } from '../../src/domain/billing/subscription/open-pages.ts';
import {
  createPageToken,
  type PageKind,
  type PageObject,
} from '../../src/domain/payments/checkout/page-tokens.ts';
import type { CreateExportInput } from '../../src/domain/payouts/export/create-export.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import type { IdNoun } from '../../src/kit/id.ts';
import { writeMail } from '../../src/message/mail.ts';
import { desktop, setupBrowser } from '../setup/browser.ts';
import { signInByRequest } from '../setup/browser-sign-in.ts';
import { chargePath } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { isLongRun } from '../setup/counts.ts';
import { createAndReadExport } from '../setup/exports.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedMail } from '../setup/messages.ts';
import { seedCharge } from '../setup/seed.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';
import { toChunks } from '../setup/statement-files.ts';
import { makeWritable, ours, writable } from './stored-columns.ts';

const onCleanup = cleanupAfterFile();

/**
 * Every text that a merchant, a customer, a bank or another server gives is hostile in the database, past all checks;
 * then every page, document, mail and file is made of it. Nothing of it becomes markup, runs, or is a formula.
 */

/** Ends an attribute and a text, is markup that runs, turns the direction of writing and hides characters. */
const hostile =
  '"\'></title></script></style><img src=x onerror="window.ran=1"><svg onload=window.ran=1>{{7*7}}\u202e\u200b\u2066end';
const formula = '=HYPERLINK("http://elsewhere.example","x")';

let app: GraphqlApp;
let ids: Partial<Record<IdNoun, string>>;
const browser = setupBrowser(() => app.url);

beforeAll(async () => {
  await buildDashboard();
  app = await setupGraphqlApp(onCleanup);
  app.context.service.settings.publicUrl = app.url;
  ids = await seedEveryType(app);
  const { service } = app.context;
  const mail = writeMail({
    language: 'en',
    sender: hostile,
    subject: hostile,
    blocks: [hostile, { button: hostile, url: app.url }],
  });
  const message = await seedMail(service, { merchantId: app.merchant.merchant.id, content: mail });
  ids.message = message!;
  await seedCharge(service, app.merchant, { now: app.context.clock.now() });
  await failFiles();
  await makeWritable(service, hostile);
});

/** A file that came in; the statement and the export have failed, which is when each has a reason. */
async function failFiles(): Promise<void> {
  const { service, clock } = app.context;
  const now = clock.now();
  const merchantId = app.merchant.merchant.id;
  const file = { merchantId, mode: 'live', fileName: 'march.xml', actor: 'test', now } as const;
  await storeUpload(service, { ...file, source: toChunks('a file') });
  const failed = { status: 'failed', finishedAt: now, errorReason: 'it is empty' } as const;
  await service.prisma.statement.update({ where: { id: ids.statement! }, data: failed });
  await service.prisma.export.update({ where: { id: ids.export! }, data: failed });
}

/** What stands on a page is text: none of it has become an element, and nothing has run. */
async function expectHarmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: 'ran' in window,
    elements: document.querySelectorAll('img[src="x"], svg[onload], [onerror]').length,
  }));
  expect([where, found]).toEqual([where, { ran: false, elements: 0 }]);
}

test('every column of text is known: who writes it, and that it is tried here', async () => {
  const columns = await app.context.service.prisma.$queryRaw<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name NOT LIKE '\_prisma%' AND data_type IN ('text', 'jsonb', 'ARRAY') ORDER BY 1`;
  const unknown = columns
    .map(({ name }) => name)
    .filter((name) => !(name in writable) && !ours.some((pattern) => pattern.test(name)));
  expect(unknown).toEqual([]);
});

test('the pages of customers', async () => {
  const { prisma, secrets } = app.context.service;
  const find = { where: { merchantId: app.merchant.merchant.id } };
  const token = (kind: PageKind, object: PageObject) =>
    `/pay/${kind}/${createPageToken(secrets, kind, object)}`;
  const pending = await prisma.charge.findFirstOrThrow({ where: { ...find.where, status: 'pending' } });
  const charges = [await prisma.charge.findUniqueOrThrow({ where: { id: ids.charge! } }), pending];
  const addresses = [
    `/checkout?sessionId=${ids.session}`,
    `/checkout?link=${ids.checkoutLink}`,
    ...charges.map((charge) => chargePath(app.context.service, charge)),
    token('refund', await prisma.refund.findFirstOrThrow(find)),
    token('invoice', await prisma.invoice.findFirstOrThrow(find)),
    token('subscription', await prisma.subscription.findFirstOrThrow(find)),
    token('enrol', await prisma.subscriptionLink.findFirstOrThrow(find)),
  ];
  const { page } = await browser.customer();
  for (const address of addresses) {
    const answer = await page.goto(app.url + address);
    expect([address.split('?')[0], answer?.status()]).toEqual([address.split('?')[0], 200]);
    await expectHarmless(page, address);
    expect(await page.textContent('body')).toContain('onerror');
  }
}, 120_000);

test('every page of the dashboard', async () => {
  const { page, context } = await browser.customer(desktop);
  await signInByRequest(context, app.url, app.merchant);
  await page.goto(`${app.url}/dashboard`);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  const routes = readFileSync(join(import.meta.dirname, '../../src/dashboard/routes.tsx'), 'utf8');
  const paths = [...routes.matchAll(/<Route path="([^"]+)"/g)].map((match) => match[1]!);
  const nounOf: Record<string, IdNoun> = {
    plans: 'plan',
    sessions: 'session',
    'receiving-accounts': 'receivingAccount',
    mailbox: 'message',
  };
  let shown = 0;
  // In the short run those of one object, which show all there is of it.
  const looked = paths.filter((path) => path !== '/' && (path.includes(':id') || isLongRun));
  for (const path of looked) {
    const noun = path.split('/')[1]!;
    const id = ids[nounOf[noun] ?? (noun.replace(/s$/, '') as IdNoun)];
    const heading = await page.$('h1');
    await page.evaluate(
      (to) => history.pushState(null, '', to),
      `/dashboard${path.replace(':id', id ?? 'x')}`,
    );
    await page.waitForFunction(
      (old) => document.querySelector('h1') !== old && document.querySelector('h1') !== null,
      heading,
    );
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
    await expectHarmless(page, path);
    if ((await page.textContent('body'))?.includes('onerror')) shown += 1;
  }
  // Most of them show some of it.
  expect(shown).toBeGreaterThan(looked.length / 2);
}, 180_000);

test('the HTML of a mail, and its header lines', async () => {
  const mail = writeMail({
    language: 'en',
    sender: `${hostile}\r\nBcc: evil@example.com`,
    subject: `${hostile}\r\nBcc: evil@example.com`,
    blocks: [hostile, { button: hostile, url: 'https://pay.example/' }],
  });
  expect(mail.html).not.toMatch(/<img src=x|<svg onload|<\/script>|<\/style><img/);
  const { page } = await browser.customer();
  await page.setContent(mail.html);
  await expectHarmless(page, 'the mail');
});

test('the document of an invoice', async () => {
  const { service } = app.context;
  const { secrets, prisma } = service;
  const invoice = await prisma.invoice.findFirstOrThrow({ where: { id: ids.invoice! } });
  const opened = await openInvoicePage(service, createPageToken(secrets, 'invoice', invoice));
  const document = Buffer.from(await renderInvoice(service, opened)).toString('latin1');
  expect(document).toMatch(/^%PDF-/);
  expect(document).not.toMatch(/\/(?:JavaScript|JS|Launch|OpenAction|EmbeddedFile|SubmitForm)\b/);
});

test('files for spreadsheets', async () => {
  const { service, clock } = app.context;
  const now = clock.now();
  const id = ids.refund!;
  const details = { bank: formula, account: formula, holder: formula };
  const detailsEncrypted = service.secrets.encrypt(JSON.stringify(details), 'refund.details_encrypted', id);
  await service.prisma.refund.update({ where: { id }, data: { status: 'processing', detailsEncrypted } });
  await makeWritable(service, formula);
  // The one that was put there by hand says nothing of what is wanted.
  await service.prisma.export.deleteMany();
  const day = now.toISOString().slice(0, 10);
  const files: Record<ExportKind, CreateExportInput> = {
    charges: { kind: 'charges', where: {} },
    transfers: { kind: 'transfers', where: {} },
    refunds: { kind: 'refunds', where: {} },
    reconciliation: { kind: 'reconciliation', from: day, to: day },
    payouts: { kind: 'payouts', format: 'csv', refundIds: [id] },
  };
  for (const [kind, input] of Object.entries(files)) {
    const { text } = await createAndReadExport(service, app.merchant, input, now);
    expect([kind, text.includes(`"'=HYPERLINK`)]).toEqual([kind, true]);
    expect([kind, text.match(/(?:^|[,"\n])=HYPERLINK/g)]).toEqual([kind, null]);
  }
});
