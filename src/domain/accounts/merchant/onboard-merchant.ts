import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { foldEmail, parseEmail } from '../../../kit/contact.ts';
import { newId } from '../../../kit/id.ts';
import type { AuditContext } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { createKeyPairs } from '../certificate/create-certificate.ts';
import { createInvitation } from '../invitation/invite-user.ts';
import { insertMerchant } from './insert-merchant.ts';

/**
 * Creates a merchant as an operator and invites its first owner by email. The operator never sees a password or an API
 * key: the owner creates them. Also returns the link of the invitation, for installations without a mail server.
 */
export async function onboardMerchant(
  service: Service,
  options: AuditContext & { name: string; ownerEmail: string },
): Promise<{ merchant: Merchant; url: string }> {
  const { name, ownerEmail, actor, ipAddress, now } = options;
  const email = foldEmail(parseEmail(ownerEmail, '/ownerEmail'));
  const keyPairs = await createKeyPairs();
  const audit = { actor, ipAddress, now };
  return transact(service, async (uow) => {
    const merchantId = newId('merchant', now);
    const merchant = await insertMerchant(uow, { ...audit, merchantId, input: { name }, keyPairs });
    const { url } = await createInvitation(uow, {
      ...audit,
      merchant,
      email,
      role: 'owner',
      inviter: null,
    });
    return { merchant, url };
  });
}
