import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { ExportKind } from '../../prisma/client/client.ts';
import { schema } from '../../schema/schema.ts';
import { buildDashboard } from '../../src/dashboard-server/build-dashboard.ts';
import { renderInvoice } from '../../src/domain/billing/invoice/render-invoice.ts';
import { getInvoicePage } from '../../src/domain/billing/subscription/get-pages.ts';
import {
  createPageToken,
  type PageKind,
  type PageObject,
} from '../../src/domain/payments/customer-page/page-tokens.ts';
import type { CreateExportInput } from '../../src/domain/payouts/export/create-export.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import type { IdType } from '../../src/kit/id.ts';
import { writeMail } from '../../src/message/mail.ts';
import { operations } from '../../src/rest/operations.ts';
import { basicAuth } from '../setup/api.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import { desktop, openCustomers } from '../setup/browser.ts';
import { signInByRequest } from '../setup/browser-sign-in.ts';
import { chargePath } from '../setup/checkout.ts';
import { launchChromium } from '../setup/chromium.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { createAndReadExport } from '../setup/exports.ts';
import { fileTest } from '../setup/fixtures.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedMail } from '../setup/messages.ts';
import { seedCharge } from '../setup/seed.ts';
import { seedOneOfEachType } from '../setup/seed-one-of-each-type.ts';
import { recordStatements } from '../setup/sent-statements.ts';
import { signInAs } from '../setup/sign-in.ts';
import { toChunks } from '../setup/statement-files.ts';

const sqlTest = graphqlTest
  .extend(
    'ids',
    { scope: 'file' },
    async ({ app }) => (await seedOneOfEachType(app)) as Record<string, string>,
  )
  .extend('owner', { scope: 'file' }, ({ app }) => signInAs('owner', app, app.merchant))
  .extend('operator', { scope: 'file' }, ({ app }) => signInAs('operator', app));

describe('SQL', () => {
  const test = sqlTest;

  /** Ends a string, a name and a statement in SQL; `mark` is found even if the rest is escaped. */
  const mark = 'zq7mark';
  const hostile = `${mark}'"\`); DROP TABLE merchant; --\\`;

  /** Checks that no statement contains the mark; returns how many sent it as a value. */
  async function countValues(what: string, request: () => Promise<unknown>): Promise<number> {
    const { sent } = await recordStatements(request);
    const inText = sent.filter(({ text }) => text.toLowerCase().includes(mark));
    expect([what, ...inText.map(({ text }) => text)]).toEqual([what]);
    return sent.filter(({ values }) => JSON.stringify(values ?? []).includes(mark)).length;
  }

  /** Yields each variant of a value in which one text is hostile. */
  function* listVariants(value: unknown): Generator<unknown> {
    if (typeof value === 'string') yield hostile;
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      for (const changed of listVariants(member)) {
        if (Array.isArray(value)) yield value.with(Number(name), changed);
        else yield { ...value, [name]: changed };
      }
    }
  }

  type Parameter = { name: string; in: string; schema: { enum?: string[]; type?: string } };
  type Document = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };

  test('receives every parameter and body of REST as a value', async ({ app, ids }) => {
    const { paths } = (await app.app.inject('/openapi.json')).json() as Document;
    let sentCount = 0;
    const request = (method: string, url: string, headers = {}, body?: unknown) =>
      countValues(`${method} ${url}`, () =>
        app.app.inject({
          ...{ method: method as 'POST', url },
          headers: {
            authorization: basicAuth(app.merchant.keys.live),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { payload: JSON.stringify(body) }),
        }),
      );
    for (const [path, methods] of Object.entries(paths)) {
      for (const [lower, { parameters = [] }] of Object.entries(methods)) {
        const method = lower.toUpperCase();
        const { exampleRequest } = operations[`${method} ${path}`]!;
        const hostilePath = path.replace('{id}', encodeURIComponent(hostile));
        sentCount += await request(method, hostilePath, { 'idempotency-key': hostile }, exampleRequest);
        for (const { name } of parameters.filter((parameter) => parameter.in === 'query'))
          sentCount += await request(
            method,
            `${hostilePath}?${name}=${encodeURIComponent(hostile)}`,
            {},
            exampleRequest,
          );
        const validPath = path.replace('{id}', ids.charge!);
        for (const body of listVariants(exampleRequest))
          sentCount += await request(method, validPath, {}, body);
      }
    }
    expect(sentCount).toBeGreaterThan(30);
  });

  /** Builds values of the type with all possible members. */
  function buildValues(
    ids: Record<string, string>,
    type: GraphQLInputType,
    name: string,
    depth = 0,
  ): unknown[] {
    const named = getNullableType(type) as GraphQLInputType;
    if (isListType(named)) return buildValues(ids, named.ofType, name, depth).map((value) => [value]);
    if (isEnumType(named)) return [named.getValues()[0]!.name];
    if (isInputObjectType(named)) {
      const members = Object.values(named.getFields()).filter(
        (field) => depth < 4 || isNonNullType(field.type),
      );
      const each = members.map(
        (field) => [field.name, buildValues(ids, field.type, field.name, depth + 1)] as const,
      );
      if (named.isOneOf)
        return each.flatMap(([member, values]) => values.map((value) => ({ [member]: value })));
      return [
        Object.fromEntries(
          each.flatMap(([member, values]) => (values.length > 0 ? [[member, values[0]]] : [])),
        ),
      ];
    }
    const knownValues: Record<string, unknown> = {
      Boolean: true,
      Int: 1,
      Float: 1,
      Decimal: '1',
      Date: '2026-11-20',
      DateTime: '2026-11-20T08:30:00Z',
      CurrencyCode: 'HKD',
      CountryCode: 'HK',
      ID: ids[name.replace(/Id$/, '')] ?? ids.charge,
    };
    return [knownValues[String(named)] ?? (/mail/i.test(name) ? 'ada@example.com' : 'text')];
  }

  /** Builds calls of a field, each with one hostile text among its arguments. */
  function buildCalls(ids: Record<string, string>, field: GraphQLField<unknown, unknown>): object[] {
    return field.args.flatMap(({ name, type }) => {
      const others = Object.fromEntries(
        field.args
          .filter((arg) => isNonNullType(arg.type) && arg.name !== name)
          .map((arg) => [arg.name, buildValues(ids, arg.type, arg.name)[0]]),
      );
      return buildValues(ids, type, name).flatMap((value) =>
        [...listVariants(value)].map((changed) => ({ ...others, [name]: changed })),
      );
    });
  }

  function buildDocument(kind: string, field: GraphQLField<unknown, unknown>, input: object): string {
    const used = field.args.filter(({ name }) => name in input);
    const variables = used.map(({ name, type }) => `$${name}: ${type}`).join(', ');
    const args = used.map(({ name }) => `${name}: $${name}`).join(', ');
    const isLeaf = isLeafType(getNamedType(field.type));
    return `${kind} (${variables}) { ${field.name}(${args})${isLeaf ? '' : ` { __typename ${kind === 'mutation' ? '... on UserError { code }' : ''} }`} }`;
  }

  /** These end the session of the caller. */
  const skipped = new Set(['signOut', 'signOutEverywhere']);

  describe.each([
    ['query', schema.getQueryType()!],
    ['mutation', schema.getMutationType()!],
  ] as const)('of every %s', (kind, root) => {
    const fields = Object.values(root.getFields()).filter(
      ({ name, args }) => args.length > 0 && !skipped.has(name),
    );

    test('receives every argument as a value', async ({ ids, owner, operator }) => {
      let sentCount = 0;
      for (const field of fields) {
        // The short run tests every third call, including the first one of each field.
        const calls = buildCalls(ids, field).filter((_, i) => i % count(3, 1) === 0);
        for (const variables of calls) {
          const document = buildDocument(kind, field, variables);
          sentCount += await countValues(`${field.name} ${JSON.stringify(variables)}`, async () => {
            const { data, errors } = await owner.ask(document, { variables });
            const code = data?.[field.name]?.code ?? errors?.[0].extensions.code;
            if (code === 'permission_denied') await operator.ask(document, { variables });
          });
        }
      }
      expect(sentCount).toBeGreaterThan(count(8, 20));
    }, 120_000);
  });
});

/** SQL for the value of a column that contains the text `$1`. */
const plainText = '$1';
const orders = `jsonb_build_array(jsonb_build_object('id', $1, 'name', $1, 'quantity', 2, 'amount', '5', 'amountMinor', '500'))`;
const metadata = `jsonb_build_array(jsonb_build_object('key', 'note', 'value', $1))`;
const people = `jsonb_build_object('firstName', $1, 'lastName', $1, 'email', 'ada@example.com')`;

/** A tax has a name and a rate, or neither. */
const taxName = '$1, tax_rate = 10';

/** Columns that merchants, customers, banks and other servers write. */
const writableColumns: Record<string, string> = {
  'merchant.name': plainText,
  'merchant.display_name': plainText,
  'merchant.postal_address': plainText,
  'merchant.tax_number': plainText,
  'merchant.restricted_access_decline_reason': plainText,
  'merchant_user.name': plainText,
  'user_session.user_agent': plainText,
  'api_key.name': plainText,
  'webhook.name': plainText,
  'webhook.username': plainText,
  'receiving_account.account': plainText,
  'receiving_account.bank': plainText,
  'receiving_account.holder': plainText,
  'receiving_account.ignored_texts': 'ARRAY[$1]',
  'customer.first_name': plainText,
  'customer.last_name': plainText,
  'charge.note': plainText,
  'customer.note': plainText,
  'checkout_link.name': plainText,
  'checkout_link.metadata': metadata,
  'checkout_link.notify_payload': plainText,
  'checkout_link.orders': orders,
  'checkout_link.customer': people,
  'checkout_session.metadata': metadata,
  'checkout_session.notify_payload': plainText,
  'checkout_session.orders': orders,
  'checkout_session.customer': people,
  'charge.first_name': plainText,
  'charge.last_name': plainText,
  'charge.metadata': metadata,
  'charge.notify_payload': plainText,
  'charge.orders': orders,
  'charge.destination': `destination || jsonb_build_object('account', $1, 'accountName', $1, 'bank', $1)`,
  'charge.rate_source': plainText,
  'subscription_plan.name': plainText,
  'subscription_plan.orders': orders,
  'subscription_plan.tax_name': taxName,
  'subscription_link.metadata': metadata,
  'subscription_link.notify_payload': plainText,
  'subscription_link.customer': people,
  'subscription.first_name': plainText,
  'subscription.last_name': plainText,
  'subscription.metadata': metadata,
  'subscription.notify_payload': plainText,
  'invoice.merchant_name': plainText,
  'invoice.merchant_address': plainText,
  'invoice.merchant_tax_number': plainText,
  'invoice.tax_name': taxName,
  'invoice.plan_name': plainText,
  'invoice.orders': orders,
  'refund.metadata': metadata,
  'refund.note': plainText,
  'refund.reopen_reason': plainText,
  'refund_payout.reference': plainText,
  'export.failure_reason': plainText,
  'transfer.bank_reference': plainText,
  'transfer.batch_reference': plainText,
  'transfer.reference': plainText,
  'transfer.note': plainText,
  'transfer.payer_name': plainText,
  'transfer.payer_account': plainText,
  'allocation.note': plainText,
  'bank_feed.name': plainText,
  'bank_feed.last_error': plainText,
  'bank_feed_account.bank_account': plainText,
  'feed_delivery.detail': plainText,
  'feed_delivery.file_name': plainText,
  'statement.file_name': plainText,
  'statement.file_account': plainText,
  'statement.failure_reason': plainText,
  'statement.control': `jsonb_build_object('accounts', jsonb_build_array($1), 'spans', '[]'::jsonb)`,
  'statement.discrepancies': `jsonb_build_object('count', 1, 'items', jsonb_build_array(jsonb_build_object('kind', 'account_mismatch', 'line', 1, 'expected', $1, 'actual', $1)))`,
  'upload.file_name': plainText,
  'notification_attempt.error': plainText,
  'notification_attempt.response_body': plainText,
  'alert.detail': plainText,
  'message.subject': plainText,
  'message.last_error': plainText,
};

/** Columns that the service writes or validates: IDs, codes, hashes, addresses, names from lists, its own JSON. */
const validatedColumns: RegExp[] = [
  /\.(?:id|\w+_id|mode|status|currency|\w+_currency|method|methods|language|kind|format|version|time_zone|recipient_limit_key|merchant_limit_key)$/,
  /\.(?:\w*hash|\w+_encrypted|wrapped_key|wrapped_by|\w*fingerprint|dedupe_key|key|payment_reference|permissions|event_types?|type|base|source|queue_key)$/,
  /\.(?:actor|created_by|imported_by|confirmed_by|undone_by|updated_by|invited_by|completed_by|set_by|leased_by|action|reason|disabled_reason)$/,
  /\.(?:\w*email|phone|recipient|address|ip_address|url|\w+_url|moved_to|country|allowed_origins|redirect_schemes|additional_phone_countries|disabled_operations)$/,
  /^(?:certificate\.public_key|upload\.sha256|statement\.(?:mapping|result_counts)|statement_mapping\.mapping|export\.options)$/,
  /^(?:export\.file_name|audit_entry\.detail|event\.(?:payload|object_id)|receiving_account\.details|retention_watermark\.name)$/,
  /^(?:checkout_link\.payment_methods|merchant\.(?:payment_windows|brand_color|logo)|refund\.(?:payout_reference|payout_scheme|previous_payout_references))$/,
  /^(?:bank_feed\.(?:kind|source_key|settings|allowed_addresses|poll_state)|feed_delivery\.(?:results|transfer_ids|statement_ids))$/,
  /^(?:transfer\.file_kind|authentication_attempt\.\w+|job_\w+\.\w+|causeway_\w+\.\w+|webhook\.\w*secret\w*|notice_setting\.alert_ids)$/,
];

/** Writes a text into all writable columns without triggers. Throws if a column cannot hold it, or has no row. */
async function overwriteText(service: Service, value: string): Promise<void> {
  const client = await service.pool.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    for (const [name, sql] of Object.entries(writableColumns)) {
      const [table, column] = name.split('.');
      const update = `UPDATE "${table}" SET "${column}" = ${sql.replaceAll('$1', '$1::text')}`;
      const { rowCount } = await client.query(update, [value]).catch((cause) => {
        throw new Error(name, { cause });
      });
      if (rowCount === 0) throw new Error(`${name} has no row`);
    }
  } finally {
    await client.query("SET session_replication_role = 'origin'");
    client.release();
  }
}

type Ids = Partial<Record<IdType, string>>;

const storedTextTest = fileTest
  .extend('app', { scope: 'file' }, async ({ onFileCleanup }) => {
    await buildDashboard();
    const app = await setupGraphqlApp(onFileCleanup);
    app.context.service.settings.publicUrl = app.url;
    return app;
  })
  .extend('ids', { scope: 'file' }, async ({ app }): Promise<Ids> => {
    const ids = await seedOneOfEachType(app);
    const { service } = app.context;
    const mail = writeMail({
      language: 'en',
      sender: hostile,
      subject: hostile,
      blocks: [hostile, { button: hostile, url: app.url }],
    });
    const message = await seedMail(service, { merchantId: app.merchant.merchant.id, content: mail });
    await seedCharge(service, app.merchant, { now: app.context.clock.now() });
    await failFiles(app, ids);
    await overwriteText(service, hostile);
    return { ...ids, message: message! };
  })
  .extend('chromium', { scope: 'file' }, async ({ onFileCleanup }) => {
    const chromium = await launchChromium();
    onFileCleanup(() => chromium.close());
    return chromium;
  })
  .extend('browser', ({ app, chromium }, { onCleanup }) => {
    const { customer, close } = openCustomers(chromium, () => app.url);
    onCleanup(close);
    return { customer };
  });

/** Ends an attribute and a text, runs as markup, changes the text direction and hides characters. */
const hostile =
  '"\'></title></script></style><img src=x onerror="window.ran=1"><svg onload=window.ran=1>{{7*7}}\u202e\u200b\u2066end';

/** Stores an upload, and gives the statement and the export an error reason. */
async function failFiles(app: GraphqlApp, ids: Ids): Promise<void> {
  const { service, clock } = app.context;
  const now = clock.now();
  const merchantId = app.merchant.merchant.id;
  const file = { merchantId, mode: 'live', fileName: 'march.xml', actor: 'user:test', now } as const;
  await storeUpload(service, { ...file, source: toChunks('a file') });
  const failed = { status: 'failed', finishedAt: now, failureReason: 'it is empty' } as const;
  await service.prisma.statement.update({ where: { id: ids.statement! }, data: failed });
  await service.prisma.export.update({ where: { id: ids.export! }, data: failed });
}

describe('Stored text', () => {
  const test = storedTextTest;

  const formula = '=HYPERLINK("http://elsewhere.example","x")';

  /** Expects that texts of the page have not become elements, and that no script has run. */
  async function expectHarmless(page: Page, where: string): Promise<void> {
    const effects = await page.evaluate(() => ({
      ran: 'ran' in window,
      elements: document.querySelectorAll('img[src="x"], svg[onload], [onerror]').length,
    }));
    expect([where, effects]).toEqual([where, { ran: false, elements: 0 }]);
  }

  test('covers every text column', async ({ app }) => {
    const columns = await app.context.service.prisma.$queryRaw<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name NOT LIKE '\_prisma%' AND data_type IN ('text', 'jsonb', 'ARRAY') ORDER BY 1`;
    const unknown = columns
      .map(({ name }) => name)
      .filter(
        (name) => !(name in writableColumns) && !validatedColumns.some((pattern) => pattern.test(name)),
      );
    expect(unknown).toEqual([]);
  });

  test('is harmless on the pages of customers', async ({ app, ids, browser }) => {
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
      const response = await page.goto(app.url + address);
      expect([address.split('?')[0], response?.status()]).toEqual([address.split('?')[0], 200]);
      await expectHarmless(page, address);
      expect(await page.textContent('body')).toContain('onerror');
    }
  }, 120_000);

  test('is harmless on every page of the dashboard', async ({ app, ids, browser }) => {
    const { page, context } = await browser.customer(desktop);
    await signInByRequest(context, app.url, app.merchant);
    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const routes = readFileSync(join(import.meta.dirname, '../../src/dashboard/routes.tsx'), 'utf8');
    const paths = [...routes.matchAll(/<Route path="([^"]+)"/g)].map((match) => match[1]!);
    const nounOfType: Record<string, IdType> = {
      plans: 'plan',
      sessions: 'session',
      'receiving-accounts': 'receivingAccount',
      'bank-feeds': 'bankFeed',
      'feed-deliveries': 'feedDelivery',
      mailbox: 'message',
    };
    let shown = 0;
    // The short run opens the pages of one object, which show all of its fields.
    const visited = paths.filter((path) => path !== '/' && (path.includes(':id') || isLongRun));
    for (const path of visited) {
      const noun = path.split('/')[1]!;
      const id = ids[nounOfType[noun] ?? (noun.replace(/s$/, '') as IdType)];
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
    // Most pages show such a text.
    expect(shown).toBeGreaterThan(visited.length / 2);
  }, 180_000);

  test('is harmless in the HTML and the header lines of a mail', async ({ browser }) => {
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

  test('is harmless in the PDF of an invoice', async ({ app, ids }) => {
    const { service } = app.context;
    const { secrets, prisma } = service;
    const invoice = await prisma.invoice.findFirstOrThrow({ where: { id: ids.invoice! } });
    const opened = await getInvoicePage(service, createPageToken(secrets, 'invoice', invoice));
    const document = Buffer.from(await renderInvoice(service, opened)).toString('latin1');
    expect(document).toMatch(/^%PDF-/);
    expect(document).not.toMatch(/\/(?:JavaScript|JS|Launch|OpenAction|EmbeddedFile|SubmitForm)\b/);
  });

  test('contains no formula in files for spreadsheets', async ({ app, ids }) => {
    const { service, clock } = app.context;
    const now = clock.now();
    const id = ids.refund!;
    const details = { bank: formula, account: formula, holder: formula };
    const detailsEncrypted = service.secrets.encrypt(JSON.stringify(details), 'refund.details_encrypted', id);
    await service.prisma.refund.update({ where: { id }, data: { status: 'processing', detailsEncrypted } });
    await overwriteText(service, formula);
    // The seeded export has no options.
    await service.prisma.export.deleteMany();
    const day = now.toISOString().slice(0, 10);
    const files: Record<ExportKind, CreateExportInput> = {
      charges: { kind: 'charges', where: {} },
      transfers: { kind: 'transfers', where: {} },
      refunds: { kind: 'refunds', where: {} },
      customers: { kind: 'customers', where: {} },
      reconciliation: { kind: 'reconciliation', from: day, to: day },
      journal: { kind: 'journal', from: '2020-01-01', to: day },
      payouts: { kind: 'payouts', format: 'csv', refundIds: [id] },
    };
    for (const [kind, input] of Object.entries(files)) {
      const { text } = await createAndReadExport(service, app.merchant, input, now);
      expect([kind, text.includes(`"'=HYPERLINK`)]).toEqual([kind, true]);
      expect([kind, text.match(/(?:^|[,\n])"?=HYPERLINK/g)]).toEqual([kind, null]);
    }
  });
});
