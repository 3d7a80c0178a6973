import { Button, Group, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import { sent } from '../../components/form.tsx';
import { type Faults, faultUnder } from '../../graphql/refusal.ts';
import type { Mapping, Preview } from './import-query.ts';
import { onlyWhatCounts } from './mapping-draft.ts';
import { Choice, ColumnChoice, type MappingParts, RowCount, Words, YesOrNo } from './mapping-fields.tsx';

const encodings = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'utf-16le', label: 'UTF-16 (little-endian)' },
  { value: 'utf-16be', label: 'UTF-16 (big-endian)' },
  { value: 'windows-1252', label: 'Western (windows-1252)' },
  { value: 'gb18030', label: 'Chinese, simplified (GB 18030)' },
  { value: 'big5', label: 'Chinese, traditional (Big5)' },
  { value: 'shift_jis', label: 'Japanese (Shift_JIS)' },
  { value: 'euc-kr', label: 'Korean (EUC-KR)' },
  { value: 'tis-620', label: 'Thai (TIS-620)' },
];
const delimiters = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Pipe' },
];
const dateOrders = [
  { value: 'dmy', label: 'Day, month, year' },
  { value: 'mdy', label: 'Month, day, year' },
  { value: 'ymd', label: 'Year, month, day' },
];
const decimalMarks = [
  { value: '.', label: 'Point: 1,234.50' },
  { value: ',', label: 'Comma: 1.234,50' },
];
const amountKinds = [
  { value: 'columns', label: 'Separate credit and debit columns' },
  { value: 'signed', label: 'One signed column' },
  { value: 'direction', label: 'Amount and direction columns' },
];

const from = {
  given: 'Uses the format that you set.',
  account: 'Uses the format of this account’s earlier files.',
  guess: 'Detected from your file. Check the preview below.',
};

/** How a CSV file is cut into rows and columns, and what stands where. */
export function MappingForm(props: {
  preview: Preview;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
  /** Of the input that holds the mapping. */
  faults: Faults;
  isBusy: boolean;
  onTry: (mapping: Mapping) => void;
}) {
  const { preview, mapping, onChange, faults, isBusy, onTry } = props;
  const parts: MappingParts = {
    mapping,
    set: (change) => onChange({ ...mapping, ...change }),
    faultOf: (name) => faultUnder(faults, `mapping/${name}`),
    columns: columnsOf(preview, mapping),
  };
  return (
    <form onSubmit={sent(() => onTry(onlyWhatCounts(mapping)))}>
      <Stack>
        <Text size="sm" c="var(--causeway-muted)">
          {from[preview.mappingFrom ?? 'guess']}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Choice name="encoding" label="Encoding" choices={encodings} {...parts} />
          <Choice name="delimiter" label="Delimiter" choices={delimiters} {...parts} />
          <Choice name="dateOrder" label="Date format" choices={dateOrders} {...parts} />
          <Choice name="decimalMark" label="Decimal separator" choices={decimalMarks} {...parts} />
          <RowCount name="skipLines" label="Lines to skip at top" {...parts} />
          <RowCount name="footerRows" label="Footer rows" {...parts} />
          <YesOrNo name="hasHeader" label="First row is a header" {...parts} />
          <YesOrNo name="buddhistYears" label="Buddhist calendar years" {...parts} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Choice name="amountKind" label="Amount format" choices={amountKinds} {...parts} />
          <AmountColumns {...parts} />
          <ColumnChoice name="date" label="Date" required {...parts} />
          <ColumnChoice name="time" label="Time column" {...parts} />
          <ColumnChoice name="valueDate" label="Value date" {...parts} />
          <ColumnChoice name="currency" label="Currency" {...parts} />
          <ColumnChoice name="payerName" label="Counterparty" {...parts} />
          <ColumnChoice name="payerAccount" label="Counterparty account" {...parts} />
          <ColumnChoice name="bankReference" label="Bank reference" {...parts} />
          <ColumnChoice name="status" label="Status" {...parts} />
        </SimpleGrid>
        {mapping.status != null && <Words name="bookedWords" label="Values meaning “booked”" {...parts} />}
        <TagsInput
          label="Reference columns"
          description="All columns that can contain the payment reference"
          data={parts.columns.map(({ value }) => value)}
          value={[...mapping.references]}
          onChange={(references) => parts.set({ references })}
          error={parts.faultOf('references')}
          acceptValueOnBlur
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={isBusy}>
            Update preview
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The columns that tell an amount, by the way it is told. */
function AmountColumns(parts: MappingParts) {
  switch (parts.mapping.amountKind) {
    case 'columns':
      return (
        <>
          <ColumnChoice name="credit" label="Credit" required {...parts} />
          <ColumnChoice name="debit" label="Debit" {...parts} />
        </>
      );
    case 'signed':
      return (
        <>
          <ColumnChoice name="amount" label="Amount" required {...parts} />
          <YesOrNo name="creditIsNegative" label="Credits are negative" {...parts} />
        </>
      );
    case 'direction':
      return (
        <>
          <ColumnChoice name="amount" label="Amount" required {...parts} />
          <ColumnChoice name="direction" label="Direction" required {...parts} />
          <Words name="creditWords" label="Values meaning “credit”" {...parts} />
          <Words name="debitWords" label="Values meaning “debit”" {...parts} />
        </>
      );
  }
}

/** Columns by their headers; by number where there is none, it is blank, or stands there twice. */
function columnsOf({ columns }: Preview, { hasHeader }: Mapping): MappingParts['columns'] {
  return columns.map((cell, index) => {
    const number = `#${index + 1}`;
    const isName = hasHeader && cell !== '' && columns.indexOf(cell) === columns.lastIndexOf(cell);
    return isName ? { value: cell, label: cell } : { value: number, label: `${number} ${cell.slice(0, 40)}` };
  });
}
