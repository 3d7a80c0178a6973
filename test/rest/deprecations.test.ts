import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { completeDocument } from '../../src/rest/complete-document.ts';
import { type Deprecation, deprecations, setDeprecationHeaders } from '../../src/rest/deprecations.ts';
import { operations } from '../../src/rest/operations.ts';

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

/** Deprecations that are announced too late, or not in the changelog. */
function findUnannounced(announced: readonly Deprecation[], log: string): string[] {
  return announced.flatMap(({ operation, member, since, sunset }) => {
    const soonest = new Date(since);
    soonest.setUTCFullYear(soonest.getUTCFullYear() + 1);
    const isInChangelog = log
      .split('\n')
      .some((line) => [operation, member ?? '', sunset].every((word) => line.includes(word)));
    return [
      ...(operation in operations ? [] : [`${operation} is no operation`]),
      ...(new Date(sunset) >= soonest ? [] : [`${operation} ends within 12 months`]),
      ...(isInChangelog ? [] : [`${operation} is missing from the changelog`]),
    ];
  });
}

test('Every deprecation is announced a year before its sunset, and in the changelog', () => {
  expect(findUnannounced(deprecations, changelog)).toEqual([]);
});

describe('Deprecation', () => {
  const whole = { operation: 'GET /charges/{id}', since: '2027-01-01', sunset: '2028-03-01' };
  const member = { operation: 'POST /charges', member: 'hash', since: '2027-01-01', sunset: '2028-01-01' };
  const parameter = {
    operation: 'GET /charges/{id}',
    member: 'timestamps',
    since: '2027-02-01',
    sunset: '2028-02-01',
  };
  const announced = [whole, member, parameter];

  test('is reported when it is announced late or missing from the changelog', () => {
    const log = '- `GET /charges/{id}` goes on 2028-03-01\n- `hash` of POST /charges goes on 2028-01-01\n';
    expect(findUnannounced([whole, member], log)).toEqual([]);
    expect(findUnannounced([{ ...whole, sunset: '2027-12-31' }], log)).toEqual([
      'GET /charges/{id} ends within 12 months',
      'GET /charges/{id} is missing from the changelog',
    ]);
    expect(findUnannounced([{ ...member, operation: 'POST /charge' }], '')).toContain(
      'POST /charge is no operation',
    );
  });

  test('is sent with every response to a request that uses the member, and with no other', async () => {
    const app = Fastify();
    setDeprecationHeaders(app, announced);
    app.get('/charges/:id', async () => ({}));
    app.post('/charges', async () => Promise.reject(new Error('rejected')));
    const readHeaders = async (url: string, body?: object) => {
      const { headers } = await app.inject({ url, ...(body ? { method: 'POST', body } : { method: 'GET' }) });
      return [headers.deprecation, headers.sunset];
    };
    expect(await readHeaders('/charges/ch_1')).toEqual(['@1798761600', 'Wed, 01 Mar 2028 00:00:00 GMT']);
    expect(await readHeaders('/charges/ch_1?timestamps=epoch')).toEqual([
      '@1801440000',
      'Tue, 01 Feb 2028 00:00:00 GMT',
    ]);
    expect(await readHeaders('/charges', { hash: 'a' })).toEqual([
      '@1798761600',
      'Sat, 01 Jan 2028 00:00:00 GMT',
    ]);
    expect(await readHeaders('/charges', { email: 'ada@example.com' })).toEqual([undefined, undefined]);
    expect(await readHeaders('/charge')).toEqual([undefined, undefined]);
  });

  test('is marked in the OpenAPI document', () => {
    const schema = { properties: { hash: {}, email: {} } };
    const document = completeDocument(
      {
        paths: {
          '/charges/{id}': { get: { parameters: [{ name: 'timestamps' }] } },
          '/charges': { post: { requestBody: { content: { 'application/json': { schema } } } } },
        },
      },
      announced,
    );
    const { '/charges/{id}': one, '/charges': all } = document.paths;
    expect([one.get, all.post]).toMatchObject([
      { deprecated: true, parameters: expect.arrayContaining([{ name: 'timestamps', deprecated: true }]) },
      {
        requestBody: {
          content: {
            'application/json': { schema: { properties: { hash: { deprecated: true }, email: {} } } },
          },
        },
      },
    ]);
    expect(all.post).not.toHaveProperty('deprecated');
  });
});
