import { serverAudits } from 'graphql-http';
import { beforeAll, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp, toAuthorization } from '../setup/graphql.ts';

const onCleanup = cleanupAfterFile();

/** The official audit suite of the GraphQL over HTTP specification, against the real server. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const audits = serverAudits({
  url: () => `${app.url}/graphql`,
  fetchFn: (url: string, { headers, ...init }: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...toAuthorization(app.merchant.keys.live), ...(headers as object) } }),
});

test('the suite is the whole one', () => {
  const required = (level: string) => audits.filter(({ name }) => name.startsWith(level)).length;
  expect([required('MUST'), required('SHOULD')]).toEqual([13, 23]);
});

test.each(audits.map((audit) => [audit.name, audit.id, audit] as const))(
  '%s (%s)',
  async (_name, _id, audit) => {
    const result = await audit.fn();
    expect(result).toMatchObject({ status: 'ok' });
  },
);
