import { Type } from 'typebox';
import type { MerchantCaller } from '../domain/accounts/api-key/permissions.ts';
import type { AuditContext } from '../domain/platform/audit/record-audit.ts';
import { merchantNow } from '../domain/platform/clock/merchant-now.ts';
import type { Clock, MerchantTime } from '../kit/clock.ts';

/**
 * Returns the time for business operations, which in the sandbox is the time of the test clock. Keys, tokens and limits
 * must use the system time.
 */
export function getMerchantTime(clock: Clock, caller: MerchantCaller): MerchantTime {
  return merchantNow(clock.now(), caller.merchant, caller.mode);
}

/** Returns the audit context of the caller; `now` is the system time. */
export function toAuditContext(
  { caller, ip }: { caller: MerchantCaller; ip: string },
  now: Date,
): AuditContext {
  return { actor: caller.actor, ipAddress: ip, now };
}

/** Returns the merchant and mode that scope every operation. */
export function getMerchantScope(caller: MerchantCaller) {
  return { merchantId: caller.merchant.id, mode: caller.mode };
}

export const idParams = Type.Object({ id: Type.String() });

export function enumSchema<T extends string>(values: readonly T[], description?: string) {
  return Type.Unsafe<T>({
    type: 'string',
    enum: [...values],
    ...(description !== undefined && { description }),
  });
}

/** The query of a file download, which dashboard users open by a link. */
export const fileQuery = Type.Object(
  {
    mode: Type.Optional(
      enumSchema(
        ['live', 'sandbox'],
        'The mode of the file. It is used only in the dashboard, because an API key has its own mode.',
      ),
    ),
  },
  { additionalProperties: false },
);

/** An order in a request. Unknown members are ignored. */
export const orderInputSchema = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  quantity: Type.Optional(Type.Integer({ minimum: 1 })),
  amount: Type.Optional(Type.Number({ minimum: 0 })),
  currency: Type.Optional(Type.String()),
});

/** Prefill data of a customer in a request. Both spellings of the names are accepted. */
export const customerInputSchema = Type.Object({
  email: Type.Optional(Type.String()),
  phone: Type.Optional(Type.Object({ code: Type.String(), phone: Type.String() })),
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
  first_name: Type.Optional(Type.String()),
  last_name: Type.Optional(Type.String()),
});

/** The customer filter of lists. */
export const customerQuery = {
  customerEmail: Type.Optional(Type.String()),
  customerPhone: Type.Optional(
    Type.String({
      description:
        'Returns only objects of customers with this phone number. Provide all digits, including the country calling code, without the `+`. The filter is ignored if `customerEmail` is set.',
    }),
  ),
};
