import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { newId } from '../../../kit/id.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import {
  type ReceivingAccountChange,
  receivingAccountMail,
  type SettingChange,
} from '../../../message/mails/receiving-account-mail.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalog.ts';
import type { Service } from '../../platform/service.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

/**
 * Emails all owners about a change of a live account, in the transaction of the change, so that they notice
 * an attacker who diverts money to another account. Sends nothing in the sandbox, where no money moves.
 */
export async function notifyOwners(
  uow: UnitOfWork<Service>,
  options: {
    caller: MerchantCaller;
    account: ReceivingAccount;
    kind: ReceivingAccountChange;
    changes: readonly SettingChange[];
    now: Date;
  },
): Promise<void> {
  const { caller, account, kind, changes, now } = options;
  const { merchant, mode } = caller;
  if (mode !== 'live') return;
  const owners = await uow.tx.merchantUser.findMany({
    where: { merchantId: merchant.id, role: 'owner', removedAt: null },
    orderBy: { id: 'asc' },
  });
  const content = receivingAccountMail({
    change: kind,
    changes,
    merchant: merchant.name,
    method: paymentMethods[account.method as MethodCode].name,
    account: account.account,
    holder: account.holder,
    bank: account.bank,
    by: caller.user?.email ?? caller.actor.replace(':', ' '),
    at: now,
    dashboardUrl: `${uow.settings.publicUrl}/dashboard/receiving-accounts/${account.id}`,
  });
  // A unique key, because each change must be emailed, even if two occur in the same millisecond.
  const changeId = newId('message', now);
  for (const owner of owners) {
    await enqueueMessage(uow, {
      merchantId: merchant.id,
      mode,
      audience: 'staff',
      trigger: 'system',
      kind: 'receiving-account',
      channel: 'email',
      to: owner.email,
      language: 'en',
      content,
      dedupeKey: `receiving-account ${account.id} ${changeId} ${owner.id}`,
      now,
    });
  }
}
