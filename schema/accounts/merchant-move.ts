import { builder } from '../kit/builder.ts';
import { createLoader } from '../kit/loader.ts';

const MerchantMoveStatus = builder.enumType('MerchantMoveStatus', {
  description: 'The step of a merchant’s move to or from another installation.',
  values: {
    pausing: { description: 'New work is rejected, and started work finishes.' },
    paused: { description: 'The merchant is paused, so that it can be exported.' },
    moved: { description: 'The merchant runs in another installation.' },
    imported: { description: 'The merchant was imported, and does not run until it is activated.' },
  },
});

builder.prismaObjectField('Merchant', 'moveStatus', (t) =>
  t.expose('moveStatus', {
    type: MerchantMoveStatus,
    nullable: true,
    authScopes: { operator: true },
    description: 'The step of the merchant’s move. Null while the merchant runs here. Requires an operator.',
  }),
);

builder.prismaObjectField('Merchant', 'movedTo', (t) =>
  t.exposeString('movedTo', {
    nullable: true,
    authScopes: { operator: true },
    description: 'The address of the installation to which the merchant moved. Requires an operator.',
  }),
);

const loadMovedAt = createLoader<Date>(async ({ service }, merchantIds) => {
  const where = { merchantId: { in: merchantIds }, action: 'merchant.moved' };
  const select = { merchantId: true, createdAt: true };
  const entries = await service.prisma.auditEntry.findMany({ where, select });
  return new Map(entries.map(({ merchantId, createdAt }) => [merchantId ?? '', createdAt]));
});

builder.prismaObjectField('Merchant', 'movedAt', (t) =>
  t.field({
    type: 'DateTime',
    nullable: true,
    authScopes: { operator: true },
    description: 'The time at which the merchant moved to another installation. Requires an operator.',
    resolve: async ({ id, moveStatus }, _args, context) =>
      moveStatus === 'moved' ? ((await loadMovedAt(context, id)) ?? null) : null,
  }),
);
