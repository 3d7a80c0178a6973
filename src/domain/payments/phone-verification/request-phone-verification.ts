import { randomInt } from 'node:crypto';
import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { getDisplayName } from '../../../kit/brand.ts';
import { parsePhone } from '../../../kit/contact.ts';
import type { Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { newToken } from '../../../kit/token.ts';
import { getCountryLanguage } from '../../../language/country-language.ts';
import type { Language } from '../../../language/languages.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { checkSmsNumber } from '../../../message/sms-number.ts';
import { phoneCodeText } from '../../../message/texts/phone-code-text.ts';
import type { Service } from '../../platform/service.ts';
import { codeDigits, codeValidityMs } from './phone-verification-state.ts';
import { transitionPhoneVerification } from './transition-phone-verification.ts';
import { hashCode, type PhoneInput, type PhoneScope } from './verify-phone.ts';

/**
 * Sends a 6-digit code to a phone and voids an earlier code that was not entered. In the sandbox, the SMS is
 * captured and not sent. Throws `invalid_request`, or `rate_limited` at the SMS limits
 * (src/message/limit-messages.ts).
 */
export async function requestPhoneVerification(
  service: Service,
  options: {
    merchant: Merchant;
    mode: Mode;
    input: { phone: PhoneInput; locale?: Language | null | undefined };
    now: Date;
  },
): Promise<{ isSuccess: true }> {
  const { merchant, mode, input, now } = options;
  const phone = parsePhone(input.phone, '/phone');
  const language = input.locale ?? getCountryLanguage(checkSmsNumber(phone, '/phone', merchant));
  const scope = { merchantId: merchant.id, mode, phone };
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
  const expiresAt = new Date(now.getTime() + codeValidityMs);
  const text = phoneCodeText(language, {
    merchant: getDisplayName(merchant),
    code,
    minutes: codeValidityMs / minuteMs,
  });
  return transact(service, async (uow) => {
    // The message is enqueued first: enqueuing locks the phone number, so that concurrent requests replace the
    // code one at a time.
    await enqueueMessage(uow, {
      channel: 'sms',
      kind: 'phone-code',
      audience: 'customer',
      trigger: 'anonymous',
      atLimit: 'reject',
      merchantId: merchant.id,
      mode,
      to: phone,
      smsCountries: merchant,
      language,
      content: { text },
      dedupeKey: `phone-code ${newToken()}`,
      expiresAt,
      now,
    });
    await voidPreviousCode(uow.tx, scope, now);
    const codeHash = hashCode(service.secrets, scope, code);
    await uow.tx.phoneVerification.create({ data: { ...scope, codeHash, expiresAt, createdAt: now } });
    return { isSuccess: true };
  });
}

async function voidPreviousCode(tx: Tx, scope: PhoneScope, now: Date): Promise<void> {
  const previousVerification = await tx.phoneVerification.findFirst({
    where: { ...scope, status: 'sent' },
    select: { id: true },
  });
  if (previousVerification)
    await transitionPhoneVerification(tx, { id: previousVerification.id, from: 'sent', to: 'voided', now });
}
