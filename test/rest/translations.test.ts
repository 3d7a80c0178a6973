import { beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../src/pages/languages.ts';
import { callApi } from '../setup/api.ts';
import { type GraphqlApp, graphqlApp } from '../setup/graphql.ts';
import { pageVisitor } from '../setup/page-visitor.ts';

let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp();
});

const get = (url: string) => callApi(app.app, { method: 'GET', url, keys: app.merchant.keys.live });

describe('GET /translations', () => {
  test.each(['en', 'zh', 'th'] as const)('%s: the very strings that the pages show', async (locale) => {
    const { status, json } = await get(`/translations?locale=${locale}`);
    expect(status).toBe(200);
    expect(json).toEqual({ translation: languages[locale] });
    const page = await pageVisitor(app.app).get(`/checkout?lang=${locale}`);
    expect(page.main).toContain(json.translation.refused.incomplete.title);
    const { data } = await app.ask(`{ translation(locale: ${locale}) }`);
    expect(data.translation).toEqual(json.translation);
  });

  test.each([
    '/translations',
    '/translations?locale=fr',
    '/translations?locale=',
    '/translations?locale=en&locale=zh',
    '/translations?lang=en',
  ])('%s: 400', async (url) => {
    const { status, json } = await get(url);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
  });
});
