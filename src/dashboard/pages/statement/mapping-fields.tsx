import { Checkbox, NumberInput, Select, TagsInput } from '@mantine/core';
import type { Mapping } from './import-query.ts';

/** What every field of a mapping is made with. */
export type MappingParts = {
  mapping: Mapping;
  set: (change: Partial<Mapping>) => void;
  /** What is wrong with a member, by its name. */
  faultOf: (name: string) => string | undefined;
  columns: readonly { value: string; label: string }[];
};

/** Level with the fields beside it, which have a label above them. */
const besideFields = { base: 0, xs: 30 };

type ChoiceName = 'encoding' | 'delimiter' | 'dateOrder' | 'decimalMark' | 'amountKind';

export function Choice(
  props: MappingParts & {
    name: ChoiceName;
    label: string;
    choices: readonly { value: string; label: string }[];
  },
) {
  const { name, label, choices, mapping, set, faultOf } = props;
  return (
    <Select
      label={label}
      data={choices}
      value={mapping[name]}
      onChange={(value) => value !== null && set({ [name]: value } as Partial<Mapping>)}
      error={faultOf(name)}
      allowDeselect={false}
    />
  );
}

export function RowCount(props: MappingParts & { name: 'skipLines' | 'footerRows'; label: string }) {
  const { name, label, mapping, set, faultOf } = props;
  return (
    <NumberInput
      label={label}
      value={mapping[name]}
      onChange={(value) => set({ [name]: Number(value) || 0 })}
      min={0}
      max={1000}
      error={faultOf(name)}
    />
  );
}

export function YesOrNo(
  props: MappingParts & { name: 'hasHeader' | 'buddhistYears' | 'creditIsNegative'; label: string },
) {
  const { name, label, mapping, set } = props;
  return (
    <Checkbox
      label={label}
      checked={mapping[name] ?? false}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.checked })}
      mt={besideFields}
    />
  );
}

type ColumnName =
  | 'date'
  | 'time'
  | 'valueDate'
  | 'amount'
  | 'credit'
  | 'debit'
  | 'direction'
  | 'currency'
  | 'payerName'
  | 'payerAccount'
  | 'bankReference'
  | 'status';

export function ColumnChoice(props: MappingParts & { name: ColumnName; label: string; required?: boolean }) {
  const { name, label, required = false, mapping, set, faultOf, columns } = props;
  const value = mapping[name] ?? null;
  const isKnown = value === null || columns.some((column) => column.value === value);
  return (
    <Select
      label={label}
      placeholder={required ? 'Choose a column' : 'None'}
      data={isKnown ? columns : [{ value, label: `${value} (not found)` }, ...columns]}
      value={value}
      onChange={(chosen) => set({ [name]: chosen })}
      error={faultOf(name)}
      clearable={!required}
      allowDeselect={!required}
    />
  );
}

export function Words(
  props: MappingParts & { name: 'creditWords' | 'debitWords' | 'bookedWords'; label: string },
) {
  const { name, label, mapping, set, faultOf } = props;
  return (
    <TagsInput
      label={label}
      value={[...(mapping[name] ?? [])]}
      onChange={(words) => set({ [name]: words })}
      error={faultOf(name)}
      acceptValueOnBlur
    />
  );
}
