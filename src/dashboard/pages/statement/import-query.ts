import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';

export const previewMutation = graphql(
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
  [refusalFields],
);

export const importMutation = graphql(
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
  [refusalFields],
);

type PreviewResult = ResultOf<typeof previewMutation>['previewStatement'];
export type Preview = Extract<PreviewResult, { __typename: 'PreviewStatementSuccess' }>['preview'];
export type Mapping = NonNullable<VariablesOf<typeof previewMutation>['input']['mapping']>;

/** A mapping as it was answered, as input: without what is left out, and without what the client adds. */
export function mappingInput({ __typename: _, ...members }: object & { __typename?: string }): Mapping {
  const given = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given) as Mapping;
}
