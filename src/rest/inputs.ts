import { Type } from 'typebox';
import type { MerchantCaller } from '../domain/accounts/api-key/permissions.ts';
import type { AuditContext } from '../domain/platform/audit/record-audit.ts';
import { merchantNow } from '../domain/platform/clock/merchant-now.ts';
import type { Clock, MerchantTime } from '../kit/clock.ts';
import { isUndocumented } from './name-components.ts';

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

export const idParams = Type.Object({
  id: Type.String({ description: 'The ID of the object in the path.' }),
});

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

/** An order line in a request. Unknown members are ignored. */
export const orderInputSchema = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        description:
          'Your own ID of the order or item, at most 500 characters. It does not have to be unique.',
      }),
    ),
    name: Type.Optional(Type.String({ description: 'The name of the item, at most 500 characters.' })),
    quantity: Type.Optional(Type.Integer({ minimum: 1, description: 'The number of items, at least 1.' })),
    amount: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'The price of the item in major units, at least 0, in the currency in which you charge.',
      }),
    ),
    currency: Type.Optional(
      Type.String({
        description:
          'The ISO 4217 code of the currency of the price. If provided, it must be the currency in which you charge.',
      }),
    ),
  },
  { title: 'OrderInput', description: 'An order line that the customer pays for.' },
);

export const phoneSchema = Type.Object(
  {
    code: Type.String({
      description: 'The country calling code with a leading plus sign, such as `+852`.',
      examples: ['+852'],
    }),
    phone: Type.String({
      description: 'The national number, without the country calling code.',
      examples: ['51234567'],
    }),
  },
  { title: 'PhoneNumber', description: 'A phone number, split into calling code and national number.' },
);

/** Prefill data of a customer. Both spellings of the names are accepted, and one is documented. */
export const customerInputSchema = Type.Object(
  {
    email: Type.Optional(Type.String({ description: 'The customer’s email address.' })),
    phone: Type.Optional(phoneSchema),
    firstName: Type.Optional(
      Type.String({ description: 'The customer’s first name, at most 100 characters.' }),
    ),
    lastName: Type.Optional(
      Type.String({ description: 'The customer’s last name, at most 100 characters.' }),
    ),
    first_name: Type.Optional(Type.String({ [isUndocumented]: true })),
    last_name: Type.Optional(Type.String({ [isUndocumented]: true })),
  },
  { title: 'CustomerDetails', description: 'The customer’s details, with which the page is prefilled.' },
);

export const customerQuery = {
  customerEmail: Type.Optional(
    Type.String({
      description:
        'Returns only objects of the customer with this email address. Provide the complete address; letter case is ignored.',
    }),
  ),
  customerPhone: Type.Optional(
    Type.String({
      description:
        'Returns only objects of customers with this phone number. Provide all digits, including the country calling code, without the `+`. The filter is ignored if `customerEmail` is set.',
    }),
  ),
};
