import type { CsvQuestion, CsvQuestionKind } from '../../src/statement/csv-questions.ts';
import { builder } from '../kit/builder.ts';

const StatementQuestionKind = builder.enumType('StatementQuestionKind', {
  description: 'The kind of a question about a statement file. More values may be added.',
  values: {
    date_order: {
      description: 'Day and month could be exchanged in all dates. Set `dateOrder` to `dmy` or `mdy`.',
    },
    decimal_mark: {
      description: 'The mark in all amounts could be decimal or group digits. Set `decimalMark`.',
    },
    direction: {
      description:
        'A value of `directionColumn` is unknown. Add it to `creditValues`, `debitValues` or `ignoredValues`.',
    },
    sheet: { description: 'Another worksheet has movements too. Set `sheet`.' },
    status: {
      description:
        'A value of `statusColumn` is unknown. Add it to `bookedValues` if it says that the money has moved.',
    },
    sign: {
      description:
        'No amount has a sign, and no column has the direction. Set `isCreditNegative`, or choose other columns.',
    },
  } satisfies Record<CsvQuestionKind, object>,
});

export const StatementQuestionType = builder.objectRef<CsvQuestion>('StatementQuestion').implement({
  description:
    'A decision that the file leaves open, so that a suggested mapping must not be used unchecked.',
  fields: (t) => ({
    kind: t.expose('kind', { type: StatementQuestionKind, description: 'The kind of the question.' }),
    sample: t.exposeString('sample', {
      description:
        'The text of the file that is unclear: a date, an amount, a value, or the name of a worksheet.',
    }),
  }),
});
