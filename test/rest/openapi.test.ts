import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/rest/operations.ts';
import { type TestApp, testApp } from '../setup/app.ts';

let app: TestApp;
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
let document: any;

beforeAll(async () => {
  app = await testApp();
  document = (await app.app.inject('/openapi.json')).json();
});

describe('the OpenAPI document', () => {
  test('passes the linter without a warning', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-openapi-'));
    const ref = join(folder, 'openapi.json');
    await writeFile(ref, JSON.stringify(document));
    const config = await createConfig({
      extends: ['recommended'],
      // The interface itself has /charges/hash beside /charges/{id}.
      rules: { 'no-ambiguous-paths': 'off', 'no-server-example.com': 'off' },
    });
    const problems = await lint({ ref, config });
    await rm(folder, { recursive: true });
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
});
