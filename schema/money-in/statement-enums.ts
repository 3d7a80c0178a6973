import type { StatementFileKind } from '../../src/statement/statement-entry.ts';
import { builder } from '../kit/builder.ts';

export const StatementStatus = builder.enumType('StatementStatus', {
  description: 'The progress of a statement import, and whether the statement was undone.',
  values: {
    queued: { description: 'The import is waiting for a worker.' },
    running: { description: 'The file is being read or its entries are being recorded.' },
    awaiting_confirmation: {
      description:
        'The file is valid, but differs from its control totals, its account or the earlier statements; see `discrepancies`. Nothing is recorded until you confirm or cancel the import.',
    },
    completed: { description: 'All entries have been recorded.' },
    failed: {
      description:
        'The import failed, and `error` gives the line and the reason. Usually, the file is invalid and nothing was imported. If `recordedCount` is above 0, an internal error stopped the import after that many entries. In that case, import the file again.',
    },
    cancelled: {
      description:
        'The import was cancelled. Entries that were recorded before stay recorded until you undo the statement.',
    },
    undoing: { description: 'The transfers of the statement are being undone.' },
    undone: {
      description: 'All transfers of the statement have been undone. The file can be imported again.',
    },
  },
});

export const StatementFormat = builder.enumType('StatementFormat', {
  description: 'The format of a statement file. More values may be added.',
  values: {
    bai2: { value: 'bai2', description: 'The file is a BAI2 cash management report.' },
    camt_052: {
      value: 'camt.052',
      description:
        'The file is an ISO 20022 interim report (camt.052). Its entries are provisional and are not recorded.',
    },
    camt_053: { value: 'camt.053', description: 'The file is an ISO 20022 statement (camt.053).' },
    camt_054: {
      value: 'camt.054',
      description: 'The file is an ISO 20022 debit and credit notification (camt.054).',
    },
    csv: { value: 'csv', description: 'The file is a CSV file, which requires a mapping.' },
    html: {
      value: 'html',
      description: 'The file is an HTML table, often named `.xls`, which requires a mapping.',
    },
    mt940: { value: 'mt940', description: 'The file is a SWIFT MT940 statement.' },
    mt942: {
      value: 'mt942',
      description:
        'The file is a SWIFT MT942 interim report. Its entries are provisional and are not recorded.',
    },
    ofx: { value: 'ofx', description: 'The file is an OFX or QFX file.' },
    qif: { value: 'qif', description: 'The file is a QIF file.' },
    xlsx: { value: 'xlsx', description: 'The file is an Excel workbook, which requires a mapping.' },
  } satisfies Record<string, { value: StatementFileKind; description: string }>,
});
