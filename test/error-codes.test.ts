import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { type ErrorCode, errorCatalog } from '../src/kit/errors.ts';
import { graphqlTest as test } from './setup/app-fixtures.ts';

const codes = Object.keys(errorCatalog) as ErrorCode[];
const folder = fileURLToPath(new URL('.', import.meta.url));
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

test.each(codes)('%s is expected by a test', (code) => {
  expect(texts.some((text) => new RegExp(`['": ,]${code}['"\`]`).test(text))).toBe(true);
});

describe('A mutation of an unknown object', () => {
  test.for([
    ['resendNotification', 'id: "nt_none"', 'notification_not_found'],
    ['dismissAlert', 'id: "alr_none"', 'alert_not_found'],
    ['payInvoice', 'id: "in_none", method: fps', 'invoice_not_found'],
  ] as const)('%s(%s) returns %s', async ([name, input, code], { app }) => {
    const { data, errors } = await app.ask(
      `mutation { ${name}(input: { ${input} }) { ... on UserError { code } } }`,
    );
    expect([errors, data?.[name]]).toEqual([undefined, { code }]);
  });
});
