import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';

const exportRowFields = graphql(`
  fragment ExportRow on Export {
    id
    kind
    status
    progress
    writtenRowCount
    totalRowCount
    fileName
    downloadUrl
    error
    dataAsOf
    createdAt
  }
`);

export type ExportRow = ResultOf<typeof exportRowFields>;

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
        ...UserErrorFields
      }
    }
  `,
  [exportRowFields, userErrorFields],
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
  [exportRowFields],
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
  [exportRowFields, pageInfoFields],
);
