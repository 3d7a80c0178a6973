import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { operations } from '../../src/rest/operations.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { checkResponse } from '../setup/check-response.ts';
import { systemTimeAppTest } from '../setup/fixtures.ts';
import type { Json } from '../setup/graphql.ts';
import { seedCompletedCharge } from '../setup/seed.ts';
import { seedPlan } from '../setup/subscriptions.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const test = systemTimeAppTest
  .extend(
    'document',
    { scope: 'file' },
    async ({ app }): Promise<Json> => (await app.app.inject('/openapi.json')).json(),
  )
  .extend(
    'exampleIds',
    async ({ service, merchant }): Promise<Record<string, string>> => ({
      chargeId: (await seedCompletedCharge(service, merchant)).id,
      subscriptionPlanId: (await seedPlan(service, merchant, { mode: 'sandbox' })).id,
      apiKey: merchant.keys.sandbox.publishableKey,
    }),
  );

const post = (app: TestApp, merchant: NewMerchant, url: string, body: unknown) =>
  callApi(app.app, { method: 'POST', url, keys: merchant.keys.sandbox, body });

describe('OpenAPI document', () => {
  test('passes the linter without a warning', async ({ document }) => {
    const ref = join(await createTempDir(onTestFinished), 'openapi.json');
    await writeFile(ref, JSON.stringify(document));
    const config = await createConfig({
      extends: ['recommended'],
      // The interface has both /charges/hash and /charges/{id}.
      rules: { 'no-ambiguous-paths': 'off', 'no-server-example.com': 'off' },
    });
    const problems = await lint({ ref, config });
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    ).toEqual([]);
  });

  test('describes the operations of the table, and no others', ({ document }) => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(Object.keys(operations).sort());
  });

  test('is displayed at /docs with resources of this origin only', async ({ app }) => {
    const page = await app.app.inject('/docs/');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  test('describes `page` and `limit` of every list as numbers with bounds', ({ document }) => {
    for (const list of ['/charges', '/refunds', '/subscriptions', '/subscription-plans']) {
      const { parameters } = document.paths[list].get;
      const findParameter = (name: string) => parameters.find((one: { name: string }) => one.name === name);
      expect([list, findParameter('page'), findParameter('limit')]).toMatchObject([
        list,
        { in: 'query', required: false, schema: { type: 'integer', minimum: 1, default: 1 } },
        { in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
      ]);
    }
  });

  test('describes the link to the refund page in refunds, but not within charges', ({ document }) => {
    const listMembers = (path: string) =>
      document.paths[path].get.responses[200].content['application/json'].schema.properties;
    expect(listMembers('/refunds/{id}')).toHaveProperty('detailsUrl');
    const ofCharge = Object.keys(listMembers('/charges/{id}').refunds.items.properties);
    const ofRefund = Object.keys(listMembers('/refunds/{id}'));
    expect(ofCharge).toEqual(ofRefund.filter((name) => name !== 'detailsUrl'));
  });

  test('requires credentials except where a cancelToken replaces them', ({ document }) => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    const ownSecurity = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { security?: object[] }>).flatMap(([method, { security }]) =>
        security ? [[`${method} ${path}`, security]] : [],
      ),
    );
    expect(ownSecurity).toEqual([['patch /charges/{id}/cancel', [{ apiKey: [] }, {}]]]);
  });

  test.for(Object.entries(operations).filter(([, { exampleRequest }]) => exampleRequest))(
    'has a working example request for %s',
    async ([name], { app, merchant, document, exampleIds }) => {
      const [method, path = ''] = name.split(' ');
      const { requestBody } = document.paths[path][method!.toLowerCase()];
      const { example } = requestBody.content['application/json'];
      const body = JSON.parse(JSON.stringify(example), (key, value) => exampleIds[key] ?? value);
      if (name === 'POST /customers/phone/verify')
        await post(app, merchant, '/customers/phone/verification', { phone: body.phone });
      const { status, json } = await post(app, merchant, path, body);
      // The example code is not the code of the SMS.
      if (name === 'POST /customers/phone/verify') expect(json.code).toBe('verification_code_invalid');
      else expect([status, json]).toEqual([expect.toBeOneOf([200, 201]), json]);
    },
  );

  test.for(Object.keys(operations))(
    'has an example response of %s that matches its schema',
    (name, { app, document }) => {
      const [method = '', path = ''] = name.split(' ');
      const { responses } = document.paths[path][method.toLowerCase()];
      for (const [status, { content }] of Object.entries<Response>(responses)) {
        if (!status.startsWith('2')) continue;
        for (const [contentType, { schema, example }] of Object.entries(content)) {
          if (schema.format === 'binary') continue;
          expect([status, example]).toEqual([status, expect.anything()]);
          const body = contentType.includes('json') ? JSON.stringify(example) : String(example);
          checkResponse(app.app, { method, url: path, status: Number(status), contentType, body });
          expect(unknownMembers(schema, example, '')).toEqual([]);
        }
      }
    },
  );
});

type Schema = {
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: unknown;
};
type Response = { content: Record<string, { schema: Schema; example?: unknown }> };

/** Lists members that the schema does not describe. */
function unknownMembers(schema: Schema, value: unknown, path: string): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => unknownMembers(schema.items ?? {}, item, `${path}[]`));
  if (typeof value !== 'object' || value === null || schema.additionalProperties === true) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const memberSchema = schema.properties?.[name];
    return memberSchema ? unknownMembers(memberSchema, member, `${path}.${name}`) : [`${path}.${name}`];
  });
}
