import { Button, Group, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { handleSubmit } from '../../components/form.tsx';
import { type FieldErrors, findFieldError } from '../../graphql/errors.ts';
import type { MappingInput, StatementPreviewData } from './import-query.ts';
import {
  CheckboxField,
  ColumnSelect,
  type MappingFieldProps,
  RowCountField,
  SelectField,
  ValuesField,
} from './mapping-fields.tsx';
import { toRelevantMapping } from './use-mapping-draft.ts';

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
  { value: '^', label: 'Caret' },
  { value: ':', label: 'Colon' },
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
const amountFormats = [
  { value: 'separate_columns', label: 'Separate credit and debit columns' },
  { value: 'signed', label: 'One signed column' },
  { value: 'direction_column', label: 'Amount and direction columns' },
];

const mappingSourceTexts = {
  provided: 'Uses the format that you set.',
  saved: 'Uses the format of this account’s earlier files.',
  detected: 'Detected from your file. Check the preview below.',
};

/** Edits how a CSV file is split into rows and columns, and what the columns mean. */
export function MappingForm(props: {
  preview: StatementPreviewData;
  mapping: MappingInput;
  onChange: (mapping: MappingInput) => void;
  /** The errors of the input, including those of its field `mapping`. */
  fieldErrors: FieldErrors;
  isBusy: boolean;
  onPreview: (mapping: MappingInput) => void;
}) {
  const { preview, mapping, onChange, fieldErrors, isBusy, onPreview } = props;
  const fieldProps: MappingFieldProps = {
    mapping,
    onChange: (changes) => onChange({ ...mapping, ...changes }),
    getFieldError: (name) => findFieldError(fieldErrors, `mapping/${name}`),
    columns: toColumnOptions(preview, mapping),
  };
  return (
    <form onSubmit={handleSubmit(() => onPreview(toRelevantMapping(mapping)))}>
      <Stack>
        <Text size="sm" c="var(--causeway-muted)">
          {preview.bank
            ? `Recognized as an export of ${preview.bank}. Check the preview below.`
            : mappingSourceTexts[preview.mappingOrigin ?? 'detected']}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          {preview.format === 'csv' && (
            <>
              <SelectField name="encoding" label="Encoding" choices={encodings} {...fieldProps} />
              <SelectField name="delimiter" label="Delimiter" choices={delimiters} {...fieldProps} />
            </>
          )}
          {preview.format === 'xlsx' && (
            <TextInput
              label="Worksheet"
              placeholder="The only one with transactions"
              value={mapping.sheet ?? ''}
              onChange={({ currentTarget }) => fieldProps.onChange({ sheet: currentTarget.value || null })}
              error={fieldProps.getFieldError('sheet')}
            />
          )}
          <SelectField name="dateOrder" label="Date format" choices={dateOrders} {...fieldProps} />
          <SelectField name="decimalMark" label="Decimal separator" choices={decimalMarks} {...fieldProps} />
          <RowCountField name="skipLines" label="Lines to skip at top" {...fieldProps} />
          <RowCountField name="footerRows" label="Footer rows" {...fieldProps} />
          <CheckboxField name="hasHeader" label="First row is a header" {...fieldProps} />
          <CheckboxField name="hasBuddhistYears" label="Buddhist calendar years" {...fieldProps} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <SelectField name="amountFormat" label="Amount format" choices={amountFormats} {...fieldProps} />
          <AmountColumns {...fieldProps} />
          <ColumnSelect name="dateColumn" label="Date" required {...fieldProps} />
          <ColumnSelect name="timeColumn" label="Time column" {...fieldProps} />
          <ColumnSelect name="valueDateColumn" label="Value date" {...fieldProps} />
          <ColumnSelect name="currencyColumn" label="Currency" {...fieldProps} />
          <ColumnSelect name="payerNameColumn" label="Counterparty" {...fieldProps} />
          <ColumnSelect name="payerAccountColumn" label="Counterparty account" {...fieldProps} />
          <ColumnSelect name="bankReferenceColumn" label="Bank reference" {...fieldProps} />
          <ColumnSelect name="accountColumn" label="Account number" {...fieldProps} />
          <ColumnSelect name="balanceColumn" label="Balance" {...fieldProps} />
          <ColumnSelect name="statusColumn" label="Status" {...fieldProps} />
        </SimpleGrid>
        {mapping.statusColumn != null && (
          <ValuesField name="bookedValues" label="Values meaning “booked”" {...fieldProps} />
        )}
        <TagsInput
          label="Reference columns"
          description="All columns that can contain the payment reference"
          data={fieldProps.columns.map(({ value }) => value)}
          value={[...mapping.referenceColumns]}
          onChange={(referenceColumns) => fieldProps.onChange({ referenceColumns })}
          error={fieldProps.getFieldError('referenceColumns')}
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

/** The fields for the columns of the amount, which depend on `amountFormat`. */
function AmountColumns(props: MappingFieldProps) {
  switch (props.mapping.amountFormat) {
    case 'separate_columns':
      return (
        <>
          <ColumnSelect name="creditColumn" label="Credit" required {...props} />
          <ColumnSelect name="debitColumn" label="Debit" {...props} />
        </>
      );
    case 'signed':
      return (
        <>
          <ColumnSelect name="amountColumn" label="Amount" required {...props} />
          <CheckboxField name="isCreditNegative" label="Credits are negative" {...props} />
        </>
      );
    case 'direction_column':
      return (
        <>
          <ColumnSelect name="amountColumn" label="Amount" required {...props} />
          <ColumnSelect name="directionColumn" label="Direction" required {...props} />
          <ValuesField name="creditValues" label="Values meaning “credit”" {...props} />
          <ValuesField name="debitValues" label="Values meaning “debit”" {...props} />
          <ValuesField name="ignoredValues" label="Values to skip" {...props} />
        </>
      );
  }
}

/** Identifies columns by their headers, or by their number if the header is missing, blank or not unique. */
function toColumnOptions(
  { columns }: StatementPreviewData,
  { hasHeader }: MappingInput,
): MappingFieldProps['columns'] {
  return columns.map((header, index) => {
    const number = `#${index + 1}`;
    const isUniqueHeader =
      hasHeader && header !== '' && columns.indexOf(header) === columns.lastIndexOf(header);
    return isUniqueHeader
      ? { value: header, label: header }
      : { value: number, label: `${number} ${header.slice(0, 40)}` };
  });
}
