import { canAccessRefundDetails } from '../../src/domain/payments/refund/refund-details-page.ts';
import { type MethodCode, paymentMethods } from '../../src/method/catalog.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { requireMerchantCaller } from '../kit/graphql-context.ts';
import { redactOnUserReplay } from '../kit/idempotency-plugin.ts';

type SuggestedAccount = { account: string; name: string | null };

const PayerAccountType = builder.objectRef<SuggestedAccount>('PayerAccount').implement({
  description: 'The account from which a customer paid, as a bank statement or feed names it.',
  fields: (t) => ({
    account: t.exposeString('account', {
      description:
        'The account number or alias as the bank writes it, in some cases with the bank before it.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name of the payer. Null if the bank did not report it.',
    }),
  }),
});

builder.prismaObjectFields('Refund', (t) => ({
  payerAccounts: t.field({
    ...redactOnUserReplay,
    authScopes: { permission: 'refund' },
    type: [PayerAccountType],
    nullable: true,
    description:
      'The accounts from which the charge was paid, if bank statements or feeds named them. Confirm with `submitRefundDetails` that the refund goes to one of them; nothing is sent there automatically. Null for callers without the permission `refund` and, in live mode, for a user with two-factor authentication who has not re-authenticated recently (`reauthenticate`).',
    select: { charge: { select: { allocations: { select: { transfer: true } } } } },
    resolve: ({ charge }, _args, context) => {
      if (!canAccessRefundDetails(requireMerchantCaller(context), context.clock.now())) return null;
      const accounts = charge.allocations.flatMap(({ transfer: { payerAccount, payerName } }) =>
        payerAccount === null ? [] : [[payerAccount, { account: payerAccount, name: payerName }] as const],
      );
      return [...new Map(accounts).values()];
    },
  }),
  payoutCountry: t.field({
    ...merchantOnly,
    type: 'CountryCode',
    nullable: true,
    description:
      'The country in which the customer paid, which decides the format of the bank details. Null for callers with a client token.',
    select: { charge: { select: { method: true } } },
    resolve: ({ charge }) => paymentMethods[charge.method as MethodCode].country,
  }),
}));
