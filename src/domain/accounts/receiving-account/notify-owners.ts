import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { newId } from '../../../kit/id.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { receivingAccountMail } from '../../../message/mails/receiving-account-mail.ts';
import { type MethodCode, paymentMethods } from '../../../method/catalogue.ts';
import type { Service } from '../../platform/service.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';
import type { AccountTerms } from './account-terms.ts';

export type AccountChange = 'created' | 'updated' | 'retired' | 'reactivated';

/** A changed term in display form; null means that the account has no own value. */
export type TermChange = { name: keyof AccountTerms; from: string | null; to: string | null };

/**
 * Mails all owners about a change of a live account, in its transaction. An attacker who changes an account
 * could divert money. Sends nothing in the sandbox, where no money moves.
 */
export async function notifyOwners(
  uow: UnitOfWork<Service>,
  options: {
    caller: MerchantCaller;
    account: ReceivingAccount;
    change: AccountChange;
    changes: readonly TermChange[];
    now: Date;
  },
): Promise<void> {
  const { caller, account, change, changes, now } = options;
  const { merchant, mode } = caller;
  if (mode !== 'live') return;
  const owners = await uow.tx.merchantUser.findMany({
    where: { merchantId: merchant.id, role: 'owner', removedAt: null },
    orderBy: { id: 'asc' },
  });
  const content = receivingAccountMail('en', {
    change,
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
  // A unique key, because every change must be mailed, even two in one millisecond.
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
