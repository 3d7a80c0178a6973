import { eraseCustomer } from '../domain/operations/customer-data/erase-customer.ts';
import { exportCustomer } from '../domain/operations/customer-data/export-customer.ts';
import type { ServiceCommand } from './command.ts';

export const exportCustomerCommand: ServiceCommand = {
  async run(service, { positionals: [id = ''] }) {
    const data = await exportCustomer(service, { id });
    return { json: data, text: JSON.stringify(data, null, 2) };
  },
};

export const eraseCustomerCommand: ServiceCommand = {
  async run(service, { positionals: [id = ''] }) {
    const counts = await eraseCustomer(service, { id, now: new Date() });
    const parts = Object.entries(counts).map(([kind, count]) => `${kind}: ${count}`);
    return { json: { customerId: id, erased: counts }, text: `Erased ${id} (${parts.join(', ')})` };
  },
};
