import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { pageInfoFields } from '../../parts/use-cursor.ts';

export const auditQuery = graphql(
  `
    query AuditEntries($filter: AuditEntryFilter, $first: Int, $after: String, $last: Int, $before: String) {
      auditEntries(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          action
          actorName
          address
          objectId
          detail
          createdAt
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

export type AuditEntry = ResultOf<typeof auditQuery>['auditEntries']['nodes'][number];
