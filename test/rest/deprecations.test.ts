import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { completeDocument } from '../../src/rest/complete-document.ts';
import { type Deprecation, deprecations, setDeprecationHeaders } from '../../src/rest/deprecations.ts';
import { operations } from '../../src/rest/operations.ts';

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

/** What is announced too late, or not where merchants read. */
function unfair(announced: readonly Deprecation[], log: string): string[] {
  return announced.flatMap(({ operation, member, since, sunset }) => {
    const soonest = new Date(since);
    soonest.setUTCFullYear(soonest.getUTCFullYear() + 1);
    const told = log
      .split('\n')
      .some((line) => [operation, member ?? '', sunset].every((word) => line.includes(word)));
    return [
      ...(operation in operations ? [] : [`${operation} is no operation`]),
      ...(new Date(sunset) >= soonest ? [] : [`${operation} ends within 12 months`]),
      ...(told ? [] : [`${operation} does not stand in the changelog`]),
    ];
  });
}

test('what will be removed is announced a year ahead, in the changelog too', () => {
  expect(unfair(deprecations, changelog)).toEqual([]);
});

describe('an announcement', () => {
  const whole = { operation: 'GET /charges/{id}', since: '2027-01-01', sunset: '2028-03-01' };
  const member = { operation: 'POST /charges', member: 'hash', since: '2027-01-01', sunset: '2028-01-01' };
  const parameter = {
    operation: 'GET /charges/{id}',
    member: 'timestamps',
    since: '2027-02-01',
    sunset: '2028-02-01',
  };
  const announced = [whole, member, parameter];

  test('that comes late, or is not told, is refused', () => {
    const log = '- `GET /charges/{id}` goes on 2028-03-01\n- `hash` of POST /charges goes on 2028-01-01\n';
    expect(unfair([whole, member], log)).toEqual([]);
    expect(unfair([{ ...whole, sunset: '2027-12-31' }], log)).toEqual([
      'GET /charges/{id} ends within 12 months',
      'GET /charges/{id} does not stand in the changelog',
    ]);
    expect(unfair([{ ...member, operation: 'POST /charge' }], '')).toContain('POST /charge is no operation');
  });

  test('goes with every answer to whoever uses it, and with no other', async () => {
    const app = Fastify();
    setDeprecationHeaders(app, announced);
    app.get('/charges/:id', async () => ({}));
    app.post('/charges', async () => Promise.reject(new Error('refused')));
    const told = async (url: string, body?: object) => {
      const { headers } = await app.inject({ url, ...(body ? { method: 'POST', body } : { method: 'GET' }) });
      return [headers.deprecation, headers.sunset];
    };
    expect(await told('/charges/ch_1')).toEqual(['@1798761600', 'Wed, 01 Mar 2028 00:00:00 GMT']);
    expect(await told('/charges/ch_1?timestamps=epoch')).toEqual([
      '@1801440000',
      'Tue, 01 Feb 2028 00:00:00 GMT',
    ]);
    expect(await told('/charges', { hash: 'a' })).toEqual(['@1798761600', 'Sat, 01 Jan 2028 00:00:00 GMT']);
    expect(await told('/charges', { email: 'ada@example.com' })).toEqual([undefined, undefined]);
    expect(await told('/charge')).toEqual([undefined, undefined]);
  });

  test('stands in the OpenAPI document', () => {
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
