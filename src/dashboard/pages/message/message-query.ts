import { pageInfoFields } from '../../components/use-cursor.ts';
import { capitalize } from '../../format/labels.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const messagesQuery = graphql(
  `
    query Messages($filter: MessageFilter, $first: Int, $after: String, $last: Int, $before: String) {
      messages(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          channel
          kind
          to
          subject
          status
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

export type MessageRow = ResultOf<typeof messagesQuery>['messages']['nodes'][number];

export const messageQuery = graphql(`
  query Message($id: ID!) {
    message(id: $id) {
      id
      channel
      kind
      to
      subject
      language
      text
      html
      status
      attemptsMade
      lastError
      nextAttemptAt
      finishedAt
      createdAt
    }
  }
`);

export type MessageDetails = NonNullable<ResultOf<typeof messageQuery>['message']>;

const kindTexts: Record<string, string> = {
  'phone-code': 'Phone verification code',
  'refund-link': 'Refund: request for bank details',
  'endpoint-alert': 'Webhook alert',
  'references-low': 'Payment reference alert',
  'password-reset': 'Password reset',
  'user-invitation': 'Invitation',
};

/** Formats the kind of a message. Unknown kinds of a newer server are shown by their code. */
export function formatMessageKind(kind: string): string {
  return kindTexts[kind] ?? capitalize(kind.replaceAll('-', ' '));
}
