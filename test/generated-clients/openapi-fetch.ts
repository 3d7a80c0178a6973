import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript.ts';

const headers = { authorization: process.env.CAUSEWAY_AUTHORIZATION! };
const client = createClient<paths>({ baseUrl: process.env.CAUSEWAY_URL!, headers });

type Charge = components['schemas']['Charge'];

async function create(email: string): Promise<Charge> {
  const terms = { merchantAmount: 96, merchantCurrency: 'HKD', method: 'fps' } as const;
  const { data, error } = await client.POST('/charges', { body: { ...terms, email } });
  if (!data) throw new Error(error.detail);
  return data;
}

const paid = await create('ada@example.com');
const other = await create('bo@example.com');
const path = (id: string) => ({ params: { path: { id } } });
const cancelled = await client.PATCH('/charges/{id}/cancel', path(other.id));
const completed = await client.POST('/charges/{id}/complete', path(paid.id));
const refund = await client.POST('/refunds', { body: { chargeId: paid.id, customerAmount: 20.5 } });
const list = await client.GET('/charges', { params: { query: { limit: 2 } } });
const hash = await client.POST('/charges/hash', {
  body: { merchantAmount: 96, merchantCurrency: 'HKD' },
  parseAs: 'text',
});
const result = {
  created: paid.status,
  cancelled: cancelled.data,
  completed: completed.data?.status,
  refunded: refund.data?.customerAmount,
  statuses: list.data?.charges.map(({ status }) => status),
  hashLength: hash.data?.length,
};
console.log(JSON.stringify(result));
