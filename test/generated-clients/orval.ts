import {
  type Charge,
  cancelCharge,
  completeSandboxCharge,
  createCharge,
  createChargeHash,
  createRefund,
  listCharges,
} from './generated/orval.ts';

const options = { headers: { authorization: process.env.CAUSEWAY_AUTHORIZATION! } };

async function create(email: string): Promise<Charge> {
  const terms = { merchantAmount: 96, merchantCurrency: 'HKD', method: 'fps' } as const;
  const { status, data } = await createCharge({ ...terms, email }, options);
  if (status !== 201) throw new Error(`${status}`);
  return data;
}

const paid = await create('ada@example.com');
const other = await create('bo@example.com');
const cancelled = await cancelCharge(other.id, options);
const completed = await completeSandboxCharge(paid.id, options);
if (completed.status !== 200) throw new Error(completed.data.detail);
const refund = await createRefund({ chargeId: paid.id, customerAmount: 20.5 }, options);
if (refund.status !== 201) throw new Error(refund.data.detail);
const list = await listCharges({ limit: 2 }, options);
if (list.status !== 200) throw new Error(list.data.detail);
const hash = await createChargeHash({ merchantAmount: 96, merchantCurrency: 'HKD' }, options);
if (hash.status !== 200) throw new Error(hash.data.detail);
const result = {
  created: paid.status,
  cancelled: cancelled.data,
  completed: completed.data.status,
  refunded: refund.data.customerAmount,
  statuses: list.data.charges.map(({ status }) => status),
  hashLength: hash.data.length,
};
console.log(JSON.stringify(result));
