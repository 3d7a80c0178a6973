import { errorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';

export const previewStatementMutation = graphql(
  `
    mutation PreviewStatement($input: PreviewStatementInput!) {
      previewStatement(input: $input) {
        __typename
        ... on PreviewStatementSuccess {
          preview {
            format
            mappingFrom
            columns
            accounts
            entries
            isWhole
            mapping {
              encoding
              delimiter
              skipLines
              hasHeader
              footerRows
              decimalMark
              dateOrder
              buddhistYears
              amountKind
              creditIsNegative
              references
              date
              time
              valueDate
              amount
              credit
              debit
              direction
              currency
              payerName
              payerAccount
              bankReference
              status
              creditWords
              debitWords
              bookedWords
            }
            faults {
              line
              reason
            }
            rows {
              line
              cells
              entry {
                direction
                isBooked
                isReversal
                amount
                currency
                date
                reference
                payerName
              }
            }
          }
        }
        ...Refusal
      }
    }
  `,
  [errorFields],
);

export const importStatementMutation = graphql(
  `
    mutation ImportStatement($input: ImportStatementInput!) {
      importStatement(input: $input) {
        __typename
        ... on ImportStatementSuccess {
          alreadyImported
          statement {
            id
          }
        }
        ...Refusal
      }
    }
  `,
  [errorFields],
);

type PreviewResult = ResultOf<typeof previewStatementMutation>['previewStatement'];
export type StatementPreviewData = Extract<
  PreviewResult,
  { __typename: 'PreviewStatementSuccess' }
>['preview'];
export type MappingInput = NonNullable<VariablesOf<typeof previewStatementMutation>['input']['mapping']>;

/** Converts a mapping from a response to input: removes null members and `__typename`. */
export function toMappingInput({
  __typename: _,
  ...members
}: object & { __typename?: string }): MappingInput {
  const entries = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as MappingInput;
}
