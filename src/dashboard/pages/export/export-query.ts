import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';

const exportRow = graphql(`
  fragment ExportRow on Export {
    id
    kind
    status
    progress
    rows
    total
    fileName
    downloadUrl
    errorReason
    createdAt
  }
`);

export type ExportRow = ResultOf<typeof exportRow>;

export const createExportMutation = graphql(
  `
    mutation CreateExport($input: CreateExportInput!) {
      createExport(input: $input) {
        __typename
        ... on CreateExportSuccess {
          export {
            ...ExportRow
          }
        }
        ...Refusal
      }
    }
  `,
  [exportRow, refusalFields],
);

export type ExportInput = VariablesOf<typeof createExportMutation>['input'];

export const exportQuery = graphql(
  `
    query Export($id: ID!) {
      export(id: $id) {
        ...ExportRow
      }
    }
  `,
  [exportRow],
);

export const exportsQuery = graphql(
  `
    query Exports($first: Int, $after: String, $last: Int, $before: String) {
      exports(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...ExportRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [exportRow, pageInfoFields],
);
