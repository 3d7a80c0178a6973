import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Mapping, mappingInput, type Preview } from './import-query.ts';

const encodings = [
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16 (little-endian)'],
  ['utf-16be', 'UTF-16 (big-endian)'],
  ['windows-1252', 'Western (windows-1252)'],
  ['gb18030', 'Chinese, simplified (GB 18030)'],
  ['big5', 'Chinese, traditional (Big5)'],
  ['shift_jis', 'Japanese (Shift_JIS)'],
  ['euc-kr', 'Korean (EUC-KR)'],
  ['tis-620', 'Thai (TIS-620)'],
] as const;
const delimiters = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Bar'],
] as const;
const dateOrders = [
  ['dmy', 'Day, month, year'],
  ['mdy', 'Month, day, year'],
  ['ymd', 'Year, month, day'],
] as const;
const amountKinds = [
  ['columns', 'Credit and debit apart'],
  ['signed', 'One column, with a sign'],
  ['direction', 'One column, and one that says which way'],
] as const;

type Props = {
  preview: Preview;
  /** What is wrong with single members, by name. */
  faults: Record<string, string>;
  busy: boolean;
  onTry: (mapping: Mapping) => void;
};

const from = {
  given: 'As you set it.',
  account: 'As the files of this account were read before.',
  guess: 'Guessed from the file: look whether the rows below are right.',
};

/** How a CSV file is cut into rows and columns, and what stands where. */
export function MappingForm({ preview, faults, busy, onTry }: Props) {
  const [mapping, setMapping] = useState<Mapping>(() => mappingInput(preview.mapping ?? {}));
  const set = (change: Partial<Mapping>) => setMapping((before) => ({ ...before, ...change }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTry(onlyWhatCounts(mapping));
  };
  const parts = { mapping, set, faults, columns: columnsOf(preview, mapping) };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="var(--causeway-muted)">
          {from[preview.mappingFrom ?? 'guess']}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Choice name="encoding" label="Encoding" options={encodings} {...parts} />
          <Choice name="delimiter" label="Between columns" options={delimiters} {...parts} />
          <Choice name="dateOrder" label="Dates" options={dateOrders} {...parts} />
          <Choice
            name="decimalMark"
            label="Decimals"
            options={[
              ['.', 'Point: 1,234.50'],
              [',', 'Comma: 1.234,50'],
            ]}
            {...parts}
          />
          <NumberInput
            label="Lines above the header"
            value={mapping.skipLines}
            onChange={(value) => set({ skipLines: Number(value) || 0 })}
            min={0}
            max={1000}
            error={faults.skipLines}
          />
          <NumberInput
            label="Rows below the last"
            value={mapping.footerRows}
            onChange={(value) => set({ footerRows: Number(value) || 0 })}
            min={0}
            max={1000}
            error={faults.footerRows}
          />
          <Checkbox
            label="The first row names the columns"
            checked={mapping.hasHeader}
            onChange={({ currentTarget }) => set({ hasHeader: currentTarget.checked })}
            mt={{ base: 0, xs: 30 }}
          />
          <Checkbox
            label="Years of the Buddhist era"
            checked={mapping.buddhistYears}
            onChange={({ currentTarget }) => set({ buddhistYears: currentTarget.checked })}
            mt={{ base: 0, xs: 30 }}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Choice name="amountKind" label="Amounts" options={amountKinds} {...parts} />
          <AmountColumns {...parts} />
          <ColumnChoice name="date" label="Date" required {...parts} />
          <ColumnChoice name="time" label="Time, if apart" {...parts} />
          <ColumnChoice name="valueDate" label="Value date" {...parts} />
          <ColumnChoice name="currency" label="Currency" {...parts} />
          <ColumnChoice name="payerName" label="Other side" {...parts} />
          <ColumnChoice name="payerAccount" label="Its account" {...parts} />
          <ColumnChoice name="bankReference" label="The bank’s reference" {...parts} />
          <ColumnChoice name="status" label="Status" {...parts} />
        </SimpleGrid>
        {mapping.status != null && (
          <Words name="bookedWords" label="Words for money that has moved" {...parts} />
        )}
        <TagsInput
          label="What the payer can have written"
          description="All columns in which the reference can stand"
          data={parts.columns.map(({ value }) => value)}
          value={[...mapping.references]}
          onChange={(references) => set({ references })}
          error={faults.references}
          acceptValueOnBlur
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={busy}>
            Read it so
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Parts = {
  mapping: Mapping;
  set: (change: Partial<Mapping>) => void;
  faults: Record<string, string>;
  columns: { value: string; label: string }[];
};

function AmountColumns(parts: Parts) {
  const { mapping, set } = parts;
  if (mapping.amountKind === 'columns') {
    return (
      <>
        <ColumnChoice name="credit" label="Credit" required {...parts} />
        <ColumnChoice name="debit" label="Debit" {...parts} />
      </>
    );
  }
  return (
    <>
      <ColumnChoice name="amount" label="Amount" required {...parts} />
      {mapping.amountKind === 'direction' && (
        <>
          <ColumnChoice name="direction" label="Which way" required {...parts} />
          <Words name="creditWords" label="Words for credit" {...parts} />
          <Words name="debitWords" label="Words for debit" {...parts} />
        </>
      )}
      {mapping.amountKind === 'signed' && (
        <Checkbox
          label="What came in is negative"
          checked={mapping.creditIsNegative ?? false}
          onChange={({ currentTarget }) => set({ creditIsNegative: currentTarget.checked })}
          mt={{ base: 0, xs: 30 }}
        />
      )}
    </>
  );
}

type ChoiceName = 'encoding' | 'delimiter' | 'dateOrder' | 'decimalMark' | 'amountKind';

function Choice(
  props: Parts & {
    name: ChoiceName;
    label: string;
    options: readonly (readonly [value: string, label: string])[];
  },
) {
  const { name, label, options, mapping, set, faults } = props;
  return (
    <Select
      label={label}
      data={options.map(([value, text]) => ({ value, label: text }))}
      value={mapping[name]}
      onChange={(value) => value !== null && set({ [name]: value } as Partial<Mapping>)}
      error={faults[name]}
      allowDeselect={false}
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

function ColumnChoice(props: Parts & { name: ColumnName; label: string; required?: boolean }) {
  const { name, label, required = false, mapping, set, faults, columns } = props;
  const value = mapping[name] ?? null;
  const isKnown = value === null || columns.some((column) => column.value === value);
  return (
    <Select
      label={label}
      placeholder={required ? 'Choose a column' : 'None'}
      data={isKnown ? columns : [{ value, label: `${value} (not there)` }, ...columns]}
      value={value}
      onChange={(chosen) => set({ [name]: chosen })}
      error={faults[name]}
      clearable={!required}
      allowDeselect={!required}
    />
  );
}

function Words(props: Parts & { name: 'creditWords' | 'debitWords' | 'bookedWords'; label: string }) {
  const { name, label, mapping, set, faults } = props;
  return (
    <TagsInput
      label={label}
      value={[...(mapping[name] ?? [])]}
      onChange={(words) => set({ [name]: words })}
      error={faults[name]}
      acceptValueOnBlur
    />
  );
}

/** Columns by their headers; by number where there is none, it is blank, or stands there twice. */
function columnsOf({ columns }: Preview, { hasHeader }: Mapping): Parts['columns'] {
  return columns.map((cell, index) => {
    const number = `#${index + 1}`;
    const isName = hasHeader && cell !== '' && columns.indexOf(cell) === columns.lastIndexOf(cell);
    return isName ? { value: cell, label: cell } : { value: number, label: `${number} ${cell.slice(0, 40)}` };
  });
}

/** A mapping holds nothing of the other ways to tell an amount. */
function onlyWhatCounts(mapping: Mapping): Mapping {
  const {
    amount,
    credit,
    debit,
    direction,
    creditWords,
    debitWords,
    creditIsNegative,
    bookedWords,
    ...rest
  } = mapping;
  const kinds = {
    columns: { credit, debit },
    signed: { amount, creditIsNegative },
    direction: { amount, direction, creditWords, debitWords },
  };
  const status = rest.status == null ? {} : { bookedWords };
  return mappingInput({ ...rest, ...kinds[mapping.amountKind], ...status });
}
