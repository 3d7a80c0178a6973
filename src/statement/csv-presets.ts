import { type CsvHeader, headerLinesMax, toColumnName } from './csv-header.ts';
import type { BankPreset, PresetRules } from './csv-preset.ts';
import { chinesePresets } from './csv-presets-china.ts';
import { southernPresets } from './csv-presets-south.ts';
import type { CsvRecord } from './csv-records.ts';
import type { HeaderRole } from './csv-words.ts';

/** The header of a known bank in a file. */
type PresetMatch = CsvHeader & { bank: string; rules: PresetRules };

type PresetColumn = { heading: string; role: HeaderRole | undefined };
type PreparedPreset = Pick<BankPreset, 'bank' | 'rules'> & { columns: PresetColumn[] };

/** Matches any number of other columns. */
const gap = foldPresetHeading('…');

export const bankPresets: BankPreset[] = [...chinesePresets, ...southernPresets];

const presets: PreparedPreset[] = bankPresets.map(({ bank, header, rules }) => ({
  bank,
  rules,
  columns: header.split('|').map((column) => {
    const [heading = '', role] = column.split('=').map((part) => part.trim());
    return { heading: foldPresetHeading(heading), role: role as HeaderRole | undefined };
  }),
}));

/** Finds the first row that is exactly the header of a known bank. */
export function findPreset(records: CsvRecord[]): PresetMatch | undefined {
  for (const [index, { cells, line }] of records.entries()) {
    if (line > headerLinesMax) return undefined;
    const headings = cells.map(foldPresetHeading);
    for (const { bank, rules, columns } of presets) {
      const indexes = matchHeadings(headings, columns);
      if (!indexes) continue;
      const roles = new Map<HeaderRole, string[]>();
      for (const [position, { role }] of columns.entries()) {
        if (role) roles.set(role, [...(roles.get(role) ?? []), toColumnName(cells, indexes[position]!)]);
      }
      return { index, cells, roles, score: Number.POSITIVE_INFINITY, bank, rules };
    }
  }
  return undefined;
}

/** Case, spaces and the width of characters do not matter. */
function foldPresetHeading(cell: string): string {
  return cell.normalize('NFKC').replace(/\s/g, '').toLowerCase();
}

/** Returns the index of each column in the headings; undefined if the headings are others or in another order. */
function matchHeadings(headings: string[], columns: PresetColumn[]): number[] | undefined {
  const indexes: number[] = [];
  let next = 0;
  for (const [position, { heading }] of columns.entries()) {
    const isFree = columns[position - 1]?.heading === gap;
    const found = isFree ? headings.indexOf(heading, next) : headings[next] === heading ? next : -1;
    if (heading !== gap && found === -1) return undefined;
    indexes.push(found);
    if (heading !== gap) next = found + 1;
  }
  const isEnd = columns.at(-1)?.heading === gap || headings.slice(next).every((heading) => heading === '');
  return isEnd ? indexes : undefined;
}
