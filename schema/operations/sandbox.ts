import { deleteSandboxData } from '../../src/domain/operations/sandbox/delete-sandbox-data.ts';
import { MerchantType } from '../accounts/merchant.ts';
import { ownerOnlyDescription } from '../kit/access.ts';
import { builder } from '../kit/builder.ts';
import { toRequestContext } from '../kit/graphql-context.ts';
import { successType } from '../kit/success-type.ts';

const DeleteSandboxDataSuccess = successType('DeleteSandboxDataSuccess', {
  description: 'The result of deleting the sandbox data.',
  fields: { merchant: { type: MerchantType, description: 'Your merchant account, whose sandbox is empty.' } },
});

builder.mutationField('deleteSandboxData', (t) =>
  t.field({
    type: DeleteSandboxDataSuccess,
    errors: {},
    twoFactor: 'always',
    isLongRunning: true,
    ignoresIdempotencyKey: true,
    authScopes: { merchant: true },
    description: `Deletes the data of your sandbox, such as charges, transfers, customers, checkout links, subscriptions, statements, exports, events and notifications, and sets its test clock back to the current time. Live data, settings, API keys, certificates, webhooks, receiving accounts, bank feeds and the audit trail are kept. The mutation fails with \`sandbox_only\` in live mode, or with \`test_clock_running\` while the test clock is being advanced. ${ownerOnlyDescription}`,
    resolve: (_root, _args, context) =>
      deleteSandboxData(context.service, toRequestContext(context)).then((merchant) => ({ merchant })),
  }),
);
