import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { operations } from '../../src/rest/operations.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { checkAnswer } from '../setup/check-answer.ts';
import { makeCompletedCharge, makeMerchant } from '../setup/makers.ts';
import { makePlan } from '../setup/subscriptions.ts';
import { temporaryFolder } from '../setup/temporary-folder.ts';

let app: TestApp;
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
let document: any;
/** What stands in an example for an id of one's own. */
let own: Record<string, string>;
let merchant: NewMerchant;

const post = (url: string, body: unknown) =>
  callApi(app.app, { method: 'POST', url, keys: merchant.keys.sandbox, body });

beforeAll(async () => {
  app = await testApp();
  const { service } = app.context;
  merchant = await makeMerchant(service);
  own = {
    chargeId: (await makeCompletedCharge(service, merchant)).id,
    subscriptionPlanId: (await makePlan(service, merchant, { mode: 'sandbox' })).id,
    apiKey: merchant.keys.sandbox.publishableKey,
  };
  document = (await app.app.inject('/openapi.json')).json();
});

describe('the OpenAPI document', () => {
  test('passes the linter without a warning', async () => {
    const ref = join(await temporaryFolder(), 'openapi.json');
    await writeFile(ref, JSON.stringify(document));
    const config = await createConfig({
      extends: ['recommended'],
      // The interface itself has /charges/hash beside /charges/{id}.
      rules: { 'no-ambiguous-paths': 'off', 'no-server-example.com': 'off' },
    });
    const problems = await lint({ ref, config });
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    ).toEqual([]);
  });

  test('tells of every operation what the table says, and of no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(Object.keys(operations).sort());
  });

  test('is shown at /docs, by a page of this origin alone', async () => {
    const page = await app.app.inject('/docs/');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  test('tells of `page` and `limit` of every list as numbers, with their bounds', () => {
    for (const list of ['/charges', '/refunds', '/subscriptions', '/subscription-plans']) {
      const { parameters } = document.paths[list].get;
      const told = (name: string) => parameters.find((one: { name: string }) => one.name === name);
      expect([list, told('page'), told('limit')]).toMatchObject([
        list,
        { in: 'query', required: false, schema: { type: 'integer', minimum: 1, default: 1 } },
        { in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
      ]);
    }
  });

  test('tells of the link to a refund’s page where refunds are asked for, not within a charge', () => {
    const membersOf = (path: string) =>
      document.paths[path].get.responses[200].content['application/json'].schema.properties;
    expect(membersOf('/refunds/{id}')).toHaveProperty('detailsUrl');
    const ofCharge = Object.keys(membersOf('/charges/{id}').refunds.items.properties);
    const ofRefund = Object.keys(membersOf('/refunds/{id}'));
    expect(ofCharge).toEqual(ofRefund.filter((name) => name !== 'detailsUrl'));
  });

  test('asks for credentials everywhere but where a cancelToken takes their place', () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    const own = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { security?: object[] }>).flatMap(([method, { security }]) =>
        security ? [[`${method} ${path}`, security]] : [],
      ),
    );
    expect(own).toEqual([['patch /charges/{id}/cancel', [{ apiKey: [] }, {}]]]);
  });

  test.each(Object.entries(operations).filter(([, { exampleRequest }]) => exampleRequest))(
    'the example of %s works',
    async (name) => {
      const [method, path = ''] = name.split(' ');
      const { requestBody } = document.paths[path][method!.toLowerCase()];
      const { example } = requestBody.content['application/json'];
      const body = JSON.parse(JSON.stringify(example), (key, value) => own[key] ?? value);
      if (name === 'POST /customers/phone/verify')
        await post('/customers/phone/verification', { phone: body.phone });
      const { status, json } = await post(path, body);
      // The code of the example is not the one that was sent.
      if (name === 'POST /customers/phone/verify') expect(json.code).toBe('verification_code_invalid');
      else expect([status, json]).toEqual([expect.toBeOneOf([200, 201]), json]);
    },
  );

  test.each(Object.keys(operations))('the example of what %s answers fits its schema', (name) => {
    const [method = '', path = ''] = name.split(' ');
    const { responses } = document.paths[path][method.toLowerCase()];
    for (const [status, { content }] of Object.entries<Response>(responses)) {
      if (!status.startsWith('2')) continue;
      for (const [contentType, { schema, example }] of Object.entries(content)) {
        if (schema.format === 'binary') continue;
        expect([status, example]).toEqual([status, expect.anything()]);
        const body = contentType.includes('json') ? JSON.stringify(example) : String(example);
        checkAnswer(app.app, { method, url: path, status: Number(status), contentType, body });
        expect(unknownMembers(schema, example, '')).toEqual([]);
      }
    }
  });
});

type Schema = {
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: unknown;
};
type Response = { content: Record<string, { schema: Schema; example?: unknown }> };

/** Members that the schema does not name: what is shown is told of. */
function unknownMembers(schema: Schema, value: unknown, path: string): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => unknownMembers(schema.items ?? {}, item, `${path}[]`));
  if (typeof value !== 'object' || value === null || schema.additionalProperties === true) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = schema.properties?.[name];
    return known ? unknownMembers(known, member, `${path}.${name}`) : [`${path}.${name}`];
  });
}
