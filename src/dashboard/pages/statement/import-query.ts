import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { discrepancyFields } from './discrepancy-list.tsx';

export const previewStatementMutation = graphql(
  `
    mutation PreviewStatement($input: PreviewStatementInput!) {
      previewStatement(input: $input) {
        __typename
        ... on PreviewStatementSuccess {
          preview {
            format
            mappingOrigin
            columns
            accounts
            fileAccount
            entryCount
            isComplete
            bank
            questions {
              kind
              sample
            }
            mapping {
              encoding
              delimiter
              skipLines
              hasHeader
              footerRows
              decimalMark
              dateOrder
              hasBuddhistYears
              amountFormat
              isCreditNegative
              referenceColumns
              dateColumn
              timeColumn
              valueDateColumn
              amountColumn
              creditColumn
              debitColumn
              directionColumn
              currencyColumn
              accountColumn
              payerNameColumn
              payerAccountColumn
              bankReferenceColumn
              balanceColumn
              statusColumn
              creditValues
              debitValues
              ignoredValues
              bookedValues
              sheet
            }
            errors {
              line
              message
            }
            notes
            discrepancies {
              ...DiscrepancyFields
            }
            rows {
              line
              cells
              status
              charge {
                id
                firstName
                lastName
                sellerName
                email
                phone
                destination {
                  paymentReference
                }
              }
              entry {
                direction
                skipReason
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
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields, discrepancyFields],
);

export const importStatementMutation = graphql(
  `
    mutation ImportStatement($input: ImportStatementInput!) {
      importStatement(input: $input) {
        __typename
        ... on ImportStatementSuccess {
          isDuplicate
          statement {
            id
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

type PreviewResult = ResultOf<typeof previewStatementMutation>['previewStatement'];
export type StatementPreviewData = Extract<
  PreviewResult,
  { __typename: 'PreviewStatementSuccess' }
>['preview'];
export type MappingInput = NonNullable<VariablesOf<typeof previewStatementMutation>['input']['mapping']>;

/** Converts a mapping from a response to input: removes null fields and `__typename`. */
export function toMappingInput({ __typename: _, ...fields }: object & { __typename?: string }): MappingInput {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as MappingInput;
}
