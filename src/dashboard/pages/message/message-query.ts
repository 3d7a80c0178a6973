import { pageInfoFields } from '../../components/use-cursor.ts';
import { capitalize } from '../../format/labels.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const messagesQuery = graphql(
  `
    query OutboundMessages($filter: OutboundMessageFilter, $first: Int, $after: String, $last: Int, $before: String) {
      outboundMessages(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          channel
          kind
          recipient
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

export type MessageRow = ResultOf<typeof messagesQuery>['outboundMessages']['nodes'][number];

export const messageQuery = graphql(`
  query OutboundMessage($id: ID!) {
    outboundMessage(id: $id) {
      id
      channel
      kind
      recipient
      subject
      locale
      text
      html
      status
      attemptCount
      lastError
      nextAttemptAt
      finishedAt
      createdAt
    }
  }
`);

export type MessageDetails = NonNullable<ResultOf<typeof messageQuery>['outboundMessage']>;

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
