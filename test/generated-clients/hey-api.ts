import { createClient } from './generated/hey-api/client/index.ts';
import {
  cancelCharge,
  completeSandboxCharge,
  createCharge,
  createChargeHash,
  createRefund,
  listCharges,
} from './generated/hey-api/sdk.gen.ts';
import type { Charge } from './generated/hey-api/types.gen.ts';

const headers = { authorization: process.env.CAUSEWAY_AUTHORIZATION! };
const client = createClient({ baseUrl: process.env.CAUSEWAY_URL!, headers });

async function create(email: string): Promise<Charge> {
  const body = { email, merchantAmount: 96, merchantCurrency: 'HKD', method: 'fps' } as const;
  const { data } = await createCharge({ client, body, throwOnError: true });
  return data;
}

const paid = await create('ada@example.com');
const other = await create('bo@example.com');
const cancelled = await cancelCharge({ client, path: { id: other.id }, throwOnError: true });
const completed = await completeSandboxCharge({ client, path: { id: paid.id }, throwOnError: true });
const refundBody = { chargeId: paid.id, customerAmount: 20.5 };
const refund = await createRefund({ client, body: refundBody, throwOnError: true });
const list = await listCharges({ client, query: { limit: 2 }, throwOnError: true });
const hashBody = { merchantAmount: 96, merchantCurrency: 'HKD' };
const hash = await createChargeHash({ client, body: hashBody, throwOnError: true });
const result = {
  created: paid.status,
  cancelled: cancelled.data,
  completed: completed.data.status,
  refunded: refund.data.customerAmount,
  statuses: list.data.charges.map(({ status }) => status),
  hashLength: hash.data.length,
};
console.log(JSON.stringify(result));
