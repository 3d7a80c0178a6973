import {
  readSetupProgress,
  type SetupProgress,
} from '../../src/domain/accounts/merchant/read-setup-progress.ts';
import { merchantOnly } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { MerchantType } from './merchant.ts';

const SetupProgressType = builder.objectRef<SetupProgress>('SetupProgress').implement({
  description: 'The steps to the first live payment that a merchant has completed, in either mode.',
  fields: (t) => ({
    hasReceivingAccount: t.exposeBoolean('hasReceivingAccount', {
      description: 'Whether an active live receiving account exists.',
    }),
    hasTestPayment: t.exposeBoolean('hasTestPayment', {
      description: 'Whether a charge was completed in the sandbox.',
    }),
    hasTestCheckout: t.exposeBoolean('hasTestCheckout', {
      description: 'Whether someone opened a checkout link of the sandbox and chose a payment method.',
    }),
    hasTransferSource: t.exposeBoolean('hasTransferSource', {
      description: 'Whether a live bank feed exists, or a live statement or transfer was recorded.',
    }),
    hasWebhook: t.exposeBoolean('hasWebhook', { description: 'Whether an enabled live webhook exists.' }),
    hasTeam: t.exposeBoolean('hasTeam', {
      description: 'Whether a second user exists or is invited.',
    }),
    hasLivePayment: t.exposeBoolean('hasLivePayment', {
      description: 'Whether a live charge has been completed.',
    }),
  }),
});

builder.prismaObjectField(MerchantType, 'setupProgress', (t) =>
  t.field({
    ...merchantOnly,
    skipTypeScopes: true,
    type: SetupProgressType,
    description: 'The steps to the first live payment that you have completed, in either mode.',
    resolve: ({ id }, _args, { service }) => readSetupProgress(service, id),
  }),
);
