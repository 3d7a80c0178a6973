import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules, PaymentSessionStatus } from '@medusajs/framework/utils';
import { createClients } from '../options.ts';
import { settlePaymentSession } from '../settle.ts';

const pageSize = 100;

/**
 * Settles all open payment sessions, because notifications can be lost, for example if Medusa restarts before it has
 * processed them.
 */
export default async function reconcile(container: MedusaContainer): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  for (const id of await listOpenSessions(container))
    await settlePaymentSession(container, id).catch((error: Error) =>
      logger.error(`The payment session ${id} could not be reconciled: ${error.message}`),
    );
}

export const config = { name: 'reconcile-causeway', schedule: '*/10 * * * *' };

async function listOpenSessions(container: MedusaContainer): Promise<string[]> {
  const payment = container.resolve(Modules.PAYMENT);
  const filters = {
    provider_id: [...createClients(container).keys()],
    status: [PaymentSessionStatus.PENDING, PaymentSessionStatus.PENDING_AUTHORIZATION],
  };
  const ids: string[] = [];
  for (;;) {
    const options = { select: ['id'], order: { id: 'ASC' }, skip: ids.length, take: pageSize } as const;
    const page = await payment.listPaymentSessions(filters as object, { ...options, select: ['id'] });
    ids.push(...page.map(({ id }) => id));
    if (page.length < pageSize) return ids;
  }
}
