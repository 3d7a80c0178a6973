import type { CsvMapping } from './csv-mapping.ts';

/**
 * The properties of the bank's format that its header does not show. Dates and amounts that are clear take
 * precedence.
 */
export type PresetRules = Pick<CsvMapping, 'dateOrder' | 'decimalMark'> &
  Partial<Pick<CsvMapping, 'bookedValues' | 'isCreditNegative'>>;

/**
 * The export of a bank. `header` lists its headings between `|`; a role follows a heading after `=`. `…` is
 * any number of other columns. Only headings that were seen in a public source are listed; see
 * `test/fixtures/statements/presets/README.md`.
 */
export type BankPreset = { bank: string; header: string; rules: PresetRules };
