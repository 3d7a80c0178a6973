import type { CsvMapping } from './csv-mapping.ts';
import { chinesePresets } from './csv-presets-china.ts';
import { southernPresets } from './csv-presets-south.ts';

/** What the bank's format says in addition to its header. Dates and amounts that are clear take precedence. */
export type PresetRules = Pick<CsvMapping, 'dateOrder' | 'decimalMark'> &
  Partial<Pick<CsvMapping, 'bookedValues'>>;

/**
 * The export of a bank. `header` lists its headings between `|`; a role follows a heading after `=`. `…` is any number of
 * other columns. Only headings that were seen in a public source are listed; see `test/fixtures/statements/presets/README.md`.
 */
export type BankPreset = { bank: string; header: string; rules: PresetRules };

export const bankPresets: BankPreset[] = [...chinesePresets, ...southernPresets];
