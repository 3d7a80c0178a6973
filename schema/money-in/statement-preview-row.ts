import { getSkipReason, type SkipReason } from '../../src/domain/money-in/statement/skip-reason.ts';
import type { PreviewRow } from '../../src/domain/money-in/statement/statement-preview.ts';
import type { StatementEntry } from '../../src/statement/statement-entry.ts';
import { builder } from '../kit/builder.ts';
import { toDecimalScalar } from '../scalars.ts';
import { TransferDirection } from './transfer.ts';

const StatementSkipReason = builder.enumType('StatementSkipReason', {
  description: 'The reason why a movement is not recorded. More values may be added.',
  values: {
    provisional: {
      description:
        'An interim report (camt.052, MT942) lists the movement. It is recorded when you import the statement with its booking.',
    },
    pending: { description: 'The movement is not booked yet, and may never be.' },
    information: { description: 'The movement is for information only.' },
    zero_amount: { description: 'The amount is zero.' },
  } satisfies Record<SkipReason, { description: string }>,
});

const StatementPreviewEntry = builder.objectRef<StatementEntry>('StatementPreviewEntry').implement({
  description: 'A movement of a statement file, as it would be imported.',
  fields: (t) => ({
    direction: t.expose('direction', {
      type: TransferDirection,
      description: 'The direction of the movement.',
    }),
    isBooked: t.boolean({
      description: 'Whether the movement is booked. Movements that are not booked are ignored.',
      resolve: ({ status }) => status === 'booked',
    }),
    skipReason: t.field({
      type: StatementSkipReason,
      nullable: true,
      description: 'The reason why the movement will not be recorded. Null if it will be recorded.',
      resolve: getSkipReason,
    }),
    isReversal: t.exposeBoolean('isReversal', {
      description: 'Whether the movement reverses an earlier booking.',
    }),
    amount: t.field({
      type: 'Decimal',
      description: 'The amount of the movement.',
      resolve: ({ amount }) => toDecimalScalar(amount.minor, amount.currency),
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency of the amount.',
      resolve: ({ amount }) => amount.currency,
    }),
    date: t.string({
      nullable: true,
      description: 'The date of the movement, or its date and time, as the bank reported it.',
      resolve: (entry) =>
        entry.bookedAt?.toISOString() ?? entry.bookedAtLocal ?? entry.bookedOn ?? entry.valueOn,
    }),
    reference: t.string({
      description: 'The text that the payer wrote, which is searched for the payment reference.',
      resolve: ({ reference, additionalInfo }) => [reference, additionalInfo].filter(Boolean).join(' '),
    }),
    payerName: t.string({
      nullable: true,
      description: 'The name of the counterparty.',
      resolve: ({ counterpartyName }) => counterpartyName,
    }),
    bankReference: t.string({
      nullable: true,
      description: 'The bank’s reference for the movement.',
      resolve: ({ bankReference }) => bankReference,
    }),
  }),
});

export const StatementPreviewRow = builder.objectRef<PreviewRow>('StatementPreviewRow').implement({
  description: 'A row of a statement file and the movement read from it.',
  fields: (t) => ({
    line: t.exposeInt('line', {
      description: 'The line in the file on which the row starts, starting at 1.',
    }),
    cells: t.exposeStringList('cells', { description: 'The cells of a CSV row.' }),
    entry: t.field({
      type: StatementPreviewEntry,
      nullable: true,
      description: 'The movement. Null for a row that is not a movement or cannot be read.',
      resolve: ({ entry }) => entry,
    }),
  }),
});
