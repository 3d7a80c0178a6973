import { Button, Group, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { handleSubmit } from '../../components/form.tsx';
import { type FieldErrors, findFieldError } from '../../graphql/errors.ts';
import { t } from '../../language/texts.ts';
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
  { value: 'utf-8', label: t.statement.utf8 },
  { value: 'utf-16le', label: t.statement.utf16LittleEndian },
  { value: 'utf-16be', label: t.statement.utf16BigEndian },
  { value: 'windows-1252', label: t.statement.westernWindows1252 },
  { value: 'gb18030', label: t.statement.chineseSimplifiedGb18030 },
  { value: 'big5', label: t.statement.chineseTraditionalBig5 },
  { value: 'shift_jis', label: t.statement.japaneseShiftJis },
  { value: 'euc-kr', label: t.statement.koreanEucKr },
  { value: 'tis-620', label: t.statement.thaiTis620 },
];
const delimiters = [
  { value: ',', label: t.statement.comma },
  { value: ';', label: t.statement.semicolon },
  { value: '\t', label: t.statement.tab },
  { value: '|', label: t.statement.pipe },
  { value: '^', label: t.statement.caret },
  { value: ':', label: t.statement.colon },
];
const dateOrders = [
  { value: 'dmy', label: t.statement.dayMonthYear },
  { value: 'mdy', label: t.statement.monthDayYear },
  { value: 'ymd', label: t.statement.yearMonthDay },
];
const decimalMarks = [
  { value: '.', label: t.statement.point123450 },
  { value: ',', label: t.statement.comma123450 },
];
const amountFormats = [
  { value: 'separate_columns', label: t.statement.separateCreditAndDebit },
  { value: 'signed', label: t.statement.oneSignedColumn },
  { value: 'direction_column', label: t.statement.amountAndDirectionColumns },
];

const mappingSourceTexts = {
  provided: t.statement.usesTheFormatThat,
  saved: t.statement.usesTheFormatOf,
  detected: t.statement.detectedFromYourFile,
};

export function describeMappingOrigin({ bank, mappingOrigin }: StatementPreviewData): string {
  return bank
    ? fillText(t.statement.recognizedAsAnExport, { bank })
    : mappingSourceTexts[mappingOrigin ?? 'detected'];
}

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
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          {preview.format === 'csv' && (
            <>
              <SelectField name="encoding" label={t.statement.encoding} choices={encodings} {...fieldProps} />
              <SelectField
                name="delimiter"
                label={t.statement.delimiter}
                choices={delimiters}
                {...fieldProps}
              />
            </>
          )}
          {preview.format === 'xlsx' && (
            <TextInput
              label={t.statement.worksheet}
              placeholder={t.statement.theOnlyOneWith}
              value={mapping.sheet ?? ''}
              onChange={({ currentTarget }) => fieldProps.onChange({ sheet: currentTarget.value || null })}
              error={fieldProps.getFieldError('sheet')}
            />
          )}
          <SelectField name="dateOrder" label={t.statement.dateFormat} choices={dateOrders} {...fieldProps} />
          <SelectField
            name="decimalMark"
            label={t.statement.decimalSeparator}
            choices={decimalMarks}
            {...fieldProps}
          />
          <RowCountField name="skipLines" label={t.statement.linesToSkipAt} {...fieldProps} />
          <RowCountField name="footerRows" label={t.statement.footerRows} {...fieldProps} />
          <CheckboxField name="hasHeader" label={t.statement.firstRowIsA} {...fieldProps} />
          <CheckboxField name="hasBuddhistYears" label={t.statement.buddhistCalendarYears} {...fieldProps} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <SelectField
            name="amountFormat"
            label={t.statement.amountFormat}
            choices={amountFormats}
            {...fieldProps}
          />
          <AmountColumns {...fieldProps} />
          <ColumnSelect name="dateColumn" label={t.statement.date} required {...fieldProps} />
          <ColumnSelect name="timeColumn" label={t.statement.timeColumn} {...fieldProps} />
          <ColumnSelect name="valueDateColumn" label={t.statement.valueDate} {...fieldProps} />
          <ColumnSelect name="currencyColumn" label={t.common.currency} {...fieldProps} />
          <ColumnSelect name="payerNameColumn" label={t.statement.counterparty} {...fieldProps} />
          <ColumnSelect name="payerAccountColumn" label={t.statement.counterpartyAccount} {...fieldProps} />
          <ColumnSelect name="bankReferenceColumn" label={t.common.bankReference} {...fieldProps} />
          <ColumnSelect name="accountColumn" label={t.statement.accountNumber} {...fieldProps} />
          <ColumnSelect name="balanceColumn" label={t.statement.balance} {...fieldProps} />
          <ColumnSelect name="statusColumn" label={t.common.status} {...fieldProps} />
        </SimpleGrid>
        {mapping.statusColumn != null && (
          <ValuesField name="bookedValues" label={t.statement.valuesMeaningBooked} {...fieldProps} />
        )}
        <TagsInput
          label={t.statement.referenceColumns}
          description={t.statement.allColumnsThatCan}
          data={fieldProps.columns.map(({ value }) => value)}
          value={[...mapping.referenceColumns]}
          onChange={(referenceColumns) => fieldProps.onChange({ referenceColumns })}
          error={fieldProps.getFieldError('referenceColumns')}
          acceptValueOnBlur
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={isBusy}>
            {t.statement.updatePreview}
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
          <ColumnSelect name="creditColumn" label={t.statement.credit} required {...props} />
          <ColumnSelect name="debitColumn" label={t.statement.debit} {...props} />
        </>
      );
    case 'signed':
      return (
        <>
          <ColumnSelect name="amountColumn" label={t.common.amount} required {...props} />
          <CheckboxField name="isCreditNegative" label={t.statement.creditsAreNegative} {...props} />
        </>
      );
    case 'direction_column':
      return (
        <>
          <ColumnSelect name="amountColumn" label={t.common.amount} required {...props} />
          <ColumnSelect name="directionColumn" label={t.statement.direction} required {...props} />
          <ValuesField name="creditValues" label={t.statement.valuesMeaningCredit} {...props} />
          <ValuesField name="debitValues" label={t.statement.valuesMeaningDebit} {...props} />
          <ValuesField name="ignoredValues" label={t.statement.valuesToSkip} {...props} />
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
