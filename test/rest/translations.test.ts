import { describe, expect } from 'vitest';
import { languages } from '../../src/pages/languages.ts';
import { callApi } from '../setup/api.ts';
import { graphqlTest as test } from '../setup/fixtures.ts';
import type { GraphqlApp } from '../setup/graphql.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';

const get = (app: GraphqlApp, url: string) =>
  callApi(app.app, { method: 'GET', url, keys: app.merchant.keys.live });

describe('GET /translations', () => {
  test.for(['en', 'zh', 'th'] as const)(
    'returns the strings of the pages for %s',
    async (locale, { app }) => {
      const { status, json } = await get(app, `/translations?locale=${locale}`);
      expect(status).toBe(200);
      expect(json).toEqual({ translation: languages[locale] });
      const page = await createPageVisitor(app.app).get(`/checkout?lang=${locale}`);
      expect(page.main).toContain(json.translation.refused.incomplete.title);
      const { data } = await app.ask(`{ translation(locale: ${locale}) }`);
      expect(data.translation).toEqual(json.translation);
    },
  );

  test.for([
    '/translations',
    '/translations?locale=fr',
    '/translations?locale=',
    '/translations?locale=en&locale=zh',
    '/translations?lang=en',
  ])('returns 400 for %s', async (url, { app }) => {
    const { status, json } = await get(app, url);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
  });
});
