import { Checkbox, NumberInput, Select, TagsInput } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { t } from '../../language/texts.ts';
import type { MappingInput } from './import-query.ts';

export type MappingFieldProps = {
  mapping: MappingInput;
  onChange: (changes: Partial<MappingInput>) => void;
  /** Returns the error of a field of the mapping. */
  getFieldError: (name: string) => string | undefined;
  columns: readonly { value: string; label: string }[];
};

/** Aligns a control without a label with the labelled fields next to it. */
const alignedMarginTop = { base: 0, xs: 30 };

type SelectFieldName = 'encoding' | 'delimiter' | 'dateOrder' | 'decimalMark' | 'amountFormat';

export function SelectField(
  props: MappingFieldProps & {
    name: SelectFieldName;
    label: string;
    choices: readonly { value: string; label: string }[];
  },
) {
  const { name, label, choices, mapping, onChange, getFieldError } = props;
  return (
    <Select
      label={label}
      data={choices}
      value={mapping[name]}
      onChange={(value) => value !== null && onChange({ [name]: value } as Partial<MappingInput>)}
      error={getFieldError(name)}
      allowDeselect={false}
    />
  );
}

export function RowCountField(
  props: MappingFieldProps & { name: 'skipLines' | 'footerRows'; label: string },
) {
  const { name, label, mapping, onChange, getFieldError } = props;
  return (
    <NumberInput
      label={label}
      value={mapping[name]}
      onChange={(value) => onChange({ [name]: Number(value) || 0 })}
      min={0}
      max={1000}
      error={getFieldError(name)}
    />
  );
}

export function CheckboxField(
  props: MappingFieldProps & { name: 'hasHeader' | 'hasBuddhistYears' | 'isCreditNegative'; label: string },
) {
  const { name, label, mapping, onChange } = props;
  return (
    <Checkbox
      label={label}
      checked={mapping[name] ?? false}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked })}
      mt={alignedMarginTop}
    />
  );
}

type ColumnFieldName =
  | 'dateColumn'
  | 'timeColumn'
  | 'valueDateColumn'
  | 'amountColumn'
  | 'creditColumn'
  | 'debitColumn'
  | 'directionColumn'
  | 'currencyColumn'
  | 'accountColumn'
  | 'payerNameColumn'
  | 'payerAccountColumn'
  | 'bankReferenceColumn'
  | 'balanceColumn'
  | 'statusColumn';

export function ColumnSelect(
  props: MappingFieldProps & { name: ColumnFieldName; label: string; required?: boolean },
) {
  const { name, label, required = false, mapping, onChange, getFieldError, columns } = props;
  const value = mapping[name] ?? null;
  const isListed = value === null || columns.some((column) => column.value === value);
  return (
    <Select
      label={label}
      placeholder={required ? t.statement.chooseAColumn : t.common.none}
      data={
        isListed ? columns : [{ value, label: fillText(t.statement.notFound, { column: value }) }, ...columns]
      }
      value={value}
      onChange={(newValue) => onChange({ [name]: newValue })}
      error={getFieldError(name)}
      clearable={!required}
      allowDeselect={!required}
    />
  );
}

export function ValuesField(
  props: MappingFieldProps & {
    name: 'creditValues' | 'debitValues' | 'ignoredValues' | 'bookedValues';
    label: string;
  },
) {
  const { name, label, mapping, onChange, getFieldError } = props;
  return (
    <TagsInput
      label={label}
      value={[...(mapping[name] ?? [])]}
      onChange={(values) => onChange({ [name]: values })}
      error={getFieldError(name)}
      acceptValueOnBlur
    />
  );
}
