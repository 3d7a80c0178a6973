import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ErrorCode, errorCatalog } from '../src/kit/errors.ts';
import { cleanupAfterFile } from './setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from './setup/graphql.ts';

const onCleanup = cleanupAfterFile();

/** Every code of the catalogue is one that a caller can meet, and a test meets it: here, or where its subject is tested. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const codes = Object.keys(errorCatalog) as ErrorCode[];
const folder = fileURLToPath(new URL('.', import.meta.url));
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

test.each(codes)('%s is met by a test', (code) => {
  expect(texts.some((text) => new RegExp(`['": ,]${code}['"\`]`).test(text))).toBe(true);
});

describe('a mutation of what is not there', () => {
  test.each([
    ['resendNotification', 'id: "nt_none"', 'notification_not_found'],
    ['dismissAlert', 'id: "alr_none"', 'alert_not_found'],
    ['payInvoice', 'id: "in_none", method: fps', 'invoice_not_found'],
  ])('%s(%s): %s', async (name, input, code) => {
    const { data, errors } = await app.ask(
      `mutation { ${name}(input: { ${input} }) { ... on UserError { code } } }`,
    );
    expect([errors, data?.[name]]).toEqual([undefined, { code }]);
  });
});
