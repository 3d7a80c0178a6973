import { type CsvHeader, headerLinesMax, toColumnName } from './csv-header.ts';
import { type BankPreset, bankPresets, type PresetRules } from './csv-preset-list.ts';
import type { CsvRecord } from './csv-records.ts';
import type { HeaderRole } from './csv-words.ts';

/** The header of a known bank in a file. */
export type PresetMatch = CsvHeader & { bank: string; rules: PresetRules };

type PreparedPreset = Pick<BankPreset, 'bank' | 'rules'> & { roles: (HeaderRole | undefined)[] };

const presetsByHeader = new Map<string, PreparedPreset>(
  bankPresets.map(({ bank, header, rules }) => {
    const columns = header.split('|').map((column) => column.split('=').map((part) => part.trim()));
    const roles = columns.map(([, role]) => role as HeaderRole | undefined);
    return [foldHeader(columns.map(([heading = '']) => heading)), { bank, rules, roles }];
  }),
);

/** Finds the first row that is exactly the header of a known bank. */
export function findPreset(records: CsvRecord[]): PresetMatch | undefined {
  for (const [index, { cells, line }] of records.entries()) {
    if (line > headerLinesMax) return undefined;
    const preset = presetsByHeader.get(foldHeader(cells));
    if (!preset) continue;
    const roles = new Map<HeaderRole, string[]>();
    for (const [column, role] of preset.roles.entries()) {
      if (role) roles.set(role, [...(roles.get(role) ?? []), toColumnName(cells, column)]);
    }
    return { index, cells, roles, score: Number.POSITIVE_INFINITY, bank: preset.bank, rules: preset.rules };
  }
  return undefined;
}

/** Folds a header so that case, spaces and empty columns at its end do not matter. */
function foldHeader(cells: string[]): string {
  const folded = cells.map((cell) => cell.normalize('NFKC').replace(/\s/g, '').toLowerCase());
  return folded.join('|').replace(/\|+$/, '');
}
