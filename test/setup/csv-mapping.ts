import { type CsvMapping, checkCsvMapping } from '../../src/statement/csv-mapping.ts';

/** The mapping of a plain file with the columns Date, Amount and Text, unless said otherwise. */
export function csvMapping(given: Partial<CsvMapping> = {}): CsvMapping {
  return checkCsvMapping({
    encoding: 'utf-8',
    delimiter: ',',
    skipLines: 0,
    hasHeader: true,
    footerRows: 0,
    decimalMark: '.',
    dateOrder: 'ymd',
    hasBuddhistYears: false,
    dateColumn: 'Date',
    amountFormat: 'signed',
    amountColumn: 'Amount',
    referenceColumns: [],
    ...given,
  });
}
