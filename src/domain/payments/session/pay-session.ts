import type { Charge, Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { parseEmail } from '../../../kit/contact.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { Audited } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { replaceCharge } from '../checkout/replace-charge.ts';
import { createClientToken } from '../customer-page/page-tokens.ts';
import { chargeSession } from './charge-session.ts';
import { claimSession } from './claim-session.ts';
import { openSession } from './open-session.ts';

/**
 * Creates the charge of a session for a page of the shop, which is authorized by the client token of the session, or
 * for the counter. If the session has a charge by another method, the new charge replaces it; an open charge by the
 * same method is returned. Only a sale at the counter needs no email. Throws the errors of
 * `claimSession`, `chargeSession`, `replaceCharge`, and `invalid_request` for the email.
 */
export async function paySession(
  service: Service,
  options: Audited & {
    merchant: Merchant;
    id: string;
    mode: Mode;
    method: MethodCode;
    email?: string | null | undefined;
    language?: string | null | undefined;
    ipAddress: string;
    actor?: string;
    now: MerchantTime;
  },
): Promise<Charge> {
  const { merchant, id, mode, method, email, ipAddress, actor = 'customer', audit, now } = options;
  const language = options.language == null ? {} : { language: options.language };
  const change = { actor, audit, now };
  const { session: openedSession, charge } = await openSession(service, { id });
  if (charge) {
    if (charge.method === method && charge.status === 'pending' && charge.expiresAt >= now) return charge;
    return replaceCharge(service, { merchant, charge, method, visitor: { ipAddress }, ...change });
  }
  if (email == null && openedSession.sellerId === null)
    throw invalidInputError('/email', 'is required for the first charge');
  const customer = email == null ? {} : { email: parseEmail(email, '/email') };
  // Only the shop's page has this secret, so it identifies the page as the browser that claims the session.
  const browserToken = createClientToken(service.secrets, { id, mode });
  const claim = { id, browserToken, canTakeOver: true, ...language, actor, now };
  const { session } = await claimSession(service, claim);
  return chargeSession(service, {
    merchant,
    session,
    browserToken,
    method,
    customer,
    ...language,
    ...change,
  });
}
