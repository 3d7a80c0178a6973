import { randomInt } from 'node:crypto';
import type { Merchant, Mode } from '../../../prisma/client/client.ts';
import { type Tx, transact } from '../../kit/db.ts';
import { minuteMs } from '../../kit/duration.ts';
import { rateLimited } from '../../kit/errors.ts';
import type { Owner } from '../../kit/owner.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import { enqueueMessage } from '../../message/enqueue-message.ts';
import { languageOfCountry, type MessageLanguage } from '../../message/language.ts';
import { phoneCodeText } from '../../message/texts/phone-code-text.ts';
import type { Service } from '../service.ts';
import {
  codeDigits,
  sendsPerMerchant,
  sendsPerPhone,
  sendsWindowMs,
  validityMs,
} from './phone-verification-state.ts';
import { transitionPhoneVerification } from './transition-phone-verification.ts';
import { type PhoneInput, parseVerifiablePhone } from './verifiable-phone.ts';
import { hashCode } from './verify-phone.ts';

type Scope = Owner & { phone: string };

/**
 * Sends a code of 6 digits to a phone; an earlier one that was not entered counts no more. In the sandbox the SMS stays
 * in the dev mailbox. Limits, counted in the database: 5 codes an hour a number, over all merchants of the installation
 * in live mode (they protect whoever has that number), and 100 an hour a merchant and mode.
 * Errors: `invalid_request`, `rate_limited`.
 */
export async function requestPhoneVerification(
  service: Service,
  options: {
    merchant: Merchant;
    mode: Mode;
    input: { phone: PhoneInput; locale?: MessageLanguage | null | undefined };
    now: Date;
  },
): Promise<{ isSuccess: true }> {
  const { merchant, mode, input, now } = options;
  const { number: phone, country } = parseVerifiablePhone(input.phone, merchant);
  const scope = { merchantId: merchant.id, mode, phone };
  const language = input.locale ?? languageOfCountry(country);
  return transact(service, async (tx) => {
    // Requests that come at once are counted one after the other.
    await takeTurn(tx, `phone-codes ${merchant.id} ${mode}`, `phone-codes ${phone} ${mode}`);
    await refuseTooMany(tx, scope, now);
    await voidEarlier(tx, scope, now);
    const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
    const expiresAt = new Date(now.getTime() + validityMs);
    const codeHash = hashCode(service.secrets, scope, code);
    const row = await tx.phoneVerification.create({
      data: { ...scope, codeHash, expiresAt, createdAt: now },
    });
    const text = phoneCodeText(language, { merchant: merchant.name, code, minutes: validityMs / minuteMs });
    await enqueueMessage(service, tx, {
      channel: 'sms',
      kind: 'phone-code',
      audience: 'customer',
      merchantId: merchant.id,
      mode,
      to: phone,
      language,
      content: { text },
      dedupeKey: `phone-code ${row.id}`,
      expiresAt,
      now,
    });
    return { isSuccess: true };
  });
}

async function refuseTooMany(tx: Tx, { merchantId, mode, phone }: Scope, now: Date): Promise<void> {
  // Sandbox codes reach nobody, and examples use the same numbers everywhere.
  const ofPhone = mode === 'live' ? { phone, mode } : { phone, mode, merchantId };
  for (const [where, max, whose] of [
    [ofPhone, sendsPerPhone, 'this number'],
    [{ merchantId, mode }, sendsPerMerchant, 'this merchant'],
  ] as const) {
    const since = new Date(now.getTime() - sendsWindowMs);
    const oldest = await tx.phoneVerification.findFirst({
      where: { ...where, createdAt: { gt: since } },
      orderBy: { createdAt: 'desc' },
      skip: max - 1,
      select: { createdAt: true },
    });
    if (!oldest) continue;
    const waitMs = oldest.createdAt.getTime() + sendsWindowMs - now.getTime();
    throw rateLimited(`${max} codes an hour have been sent for ${whose}`, Math.ceil(waitMs / 1_000));
  }
}

async function voidEarlier(tx: Tx, scope: Scope, now: Date): Promise<void> {
  const earlier = await tx.phoneVerification.findFirst({
    where: { ...scope, status: 'sent' },
    select: { id: true },
  });
  if (earlier) await transitionPhoneVerification(tx, { id: earlier.id, from: 'sent', to: 'voided', now });
}
