import { isUnitOfWork, transact } from '../../../event/unit-of-work.ts';
import { parsePhone } from '../../../kit/contact.ts';
import { secondMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type Secrets, sha256 } from '../../../kit/secrets.ts';
import { checkText } from '../../../kit/text.ts';
import { newToken } from '../../../kit/token.ts';
import { type Queryable, withClient } from '../../../kit/with-client.ts';
import type { Service } from '../../platform/service.ts';
import { codeAttemptsMax, codeValidityMs } from './phone-verification-state.ts';
import { transitionPhoneVerification } from './transition-phone-verification.ts';

/** The maximum length of the input; a valid code is much shorter. */
const codeInputLengthMax = 64;

const connectionLimits = { connectionTimeoutMillis: 5 * secondMs, query_timeout: 5 * secondMs };

export type PhoneInput = { code: string; phone: string };

export type PhoneScope = MerchantScope & { phone: string };

/** Returns a keyed hash of a code, because a plain hash of six digits is trivial to reverse. */
export function hashCode(secrets: Secrets, scope: PhoneScope, code: string): string {
  return secrets.sign('phone-code', scope.mode, toSignedText(scope, code));
}

function isMatchingCode(
  secrets: Secrets,
  { scope, code, codeHash }: { scope: PhoneScope; code: string; codeHash: string },
) {
  const { merchantId } = scope;
  const signed = { text: toSignedText(scope, code), signature: codeHash, merchantId };
  return secrets.verify('phone-code', scope.mode, signed);
}

function toSignedText({ merchantId, phone }: PhoneScope, code: string): string {
  return `${merchantId} ${phone} ${code}`;
}

/**
 * Exchanges the SMS code for a `verificationCode`: 256 random bits, valid for 5 minutes and one charge.
 * Throws `invalid_request`, or `verification_code_invalid` equally for a wrong, expired, used or replaced
 * code and for a sixth attempt.
 */
export async function verifyPhone(
  service: Service,
  options: MerchantScope & { input: { phone: PhoneInput; code: string }; now: Date },
): Promise<{ verificationCode: string }> {
  const { merchantId, mode, input, now } = options;
  const phone = parsePhone(input.phone, '/phone');
  const code = checkText(input.code, '/code', codeInputLengthMax).replace(/\s/g, '');
  const scope = { merchantId, mode, phone };
  const verification = await countAttempt(service, scope, now);
  const isCorrect =
    verification !== undefined &&
    isMatchingCode(service.secrets, { scope, code, codeHash: verification.codeHash });
  return transact(service, async ({ tx }) => {
    const verificationCode = newToken();
    const isVerified =
      isCorrect &&
      (await transitionPhoneVerification(tx, {
        id: verification.id,
        from: 'sent',
        to: 'verified',
        columns: { tokenHash: sha256(verificationCode), expiresAt: new Date(now.getTime() + codeValidityMs) },
        now,
      }));
    if (!isVerified)
      throw new DomainError(
        'verification_code_invalid',
        'The code is incorrect or has expired; request a new one',
      );
    return { verificationCode };
  });
}

/**
 * Counts an attempt before the code is checked, so that concurrent guesses cannot exceed the limit. Uses its own
 * connection: a wrong code rolls back the transaction of a request with an idempotency key, but must count. Inside
 * such a transaction, the connection is not one of the pool, whose other connections may all wait for one, too.
 * Returns undefined if no sent code is valid or its attempts are used up.
 */
async function countAttempt(
  service: Service,
  { merchantId, mode, phone }: PhoneScope,
  now: Date,
): Promise<{ id: bigint; codeHash: string } | undefined> {
  const count = (client: Queryable) =>
    client.query<{ id: string; codeHash: string }>(
      `UPDATE phone_verification SET attempt_count = attempt_count + 1
        WHERE merchant_id = $1 AND mode = $2::mode AND phone = $3 AND status = 'sent'
          AND expires_at > $4 AND attempt_count < $5
        RETURNING id, code_hash AS "codeHash"`,
      [merchantId, mode, phone, now, codeAttemptsMax],
    );
  const { pool } = service;
  const { rows } = isUnitOfWork(service)
    ? await withClient(pool.options.connectionString!, count, connectionLimits)
    : await count(pool);
  const [verification] = rows;
  return verification && { ...verification, id: BigInt(verification.id) };
}
