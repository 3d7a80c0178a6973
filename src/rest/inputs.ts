import { Type } from 'typebox';
import type { MerchantCaller } from '../domain/accounts/api-key/permissions.ts';
import type { AuditContext } from '../domain/platform/audit/record-audit.ts';
import { merchantNow } from '../domain/platform/clock/merchant-now.ts';
import type { Clock, MerchantTime } from '../kit/clock.ts';

/** The caller's time for what it does: in the sandbox that of its test clock. Not for keys, tokens and limits. */
export function getMerchantTime(clock: Clock, caller: MerchantCaller): MerchantTime {
  return merchantNow(clock.now(), caller.merchant, caller.mode);
}

/** Who acts for the merchant, for the audit trail; `now` is the machine's time. */
export function toAuditContext(
  { caller, ip }: { caller: MerchantCaller; ip: string },
  now: Date,
): AuditContext {
  return { actor: caller.actor, address: ip, now };
}

/** Whose objects, in which mode: every operation starts from these. */
export function getMerchantScope(caller: MerchantCaller) {
  return { merchantId: caller.merchant.id, mode: caller.mode };
}

export const idParams = Type.Object({ id: Type.String() });

/** One word of a closed list. */
export function enumSchema<T extends string>(values: readonly T[], description?: string) {
  return Type.Unsafe<T>({
    type: 'string',
    enum: [...values],
    ...(description !== undefined && { description }),
  });
}

/** The query of a file, which a user of the dashboard gets by a link. */
export const fileQuery = Type.Object(
  {
    mode: Type.Optional(enumSchema(['live', 'sandbox'], 'Only for the dashboard: an API key has its mode')),
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

/** Pre-fill data of a customer in a request. Both spellings of the names are taken. */
export const customerInputSchema = Type.Object({
  email: Type.Optional(Type.String()),
  phone: Type.Optional(Type.Object({ code: Type.String(), phone: Type.String() })),
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
  first_name: Type.Optional(Type.String()),
  last_name: Type.Optional(Type.String()),
});

/** Parameters of a list: whose it is. */
export const customerQuery = {
  customerEmail: Type.Optional(Type.String()),
  customerPhone: Type.Optional(
    Type.String({
      description:
        'Returns only objects of customers with this phone number, without the `+`. Ignored if `customerEmail` is given.',
    }),
  ),
};
