import { pageInfoFields } from '../../components/use-cursor.ts';
import { capitalize, formatCode } from '../../format/labels.ts';
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

const channelTexts: Record<MessageRow['channel'], string> = { email: 'Email', sms: 'SMS', chat: 'Chat' };

export function formatChannel(channel: MessageRow['channel']): string {
  return channelTexts[channel];
}

const kindTexts: Record<MessageRow['kind'], string> = {
  account_notice: 'Account notice',
  cancel_subscription: 'Cancellation of a subscription',
  endpoint_alert: 'Webhook alert',
  invitation: 'Invitation',
  invoice_due: 'Invoice',
  invoice_paused: 'Subscription paused',
  invoice_reminder: 'Invoice reminder',
  notice: 'Notification to a user',
  password_reset: 'Password reset',
  phone_code: 'Phone verification code',
  receipt: 'Receipt',
  receiving_account: 'Receiving account change',
  bank_feed: 'Bank feed alert',
  references_low: 'Payment reference alert',
  refund_link: 'Refund: request for bank details',
  refund_sent: 'Refund: sent',
  subscription_changed: 'Subscription changed',
};

/** Formats the kind of a message. Unknown kinds, of a newer server, are shown by their code. */
export function formatMessageKind(kind: MessageRow['kind']): string {
  return kindTexts[kind] ?? capitalize(formatCode(kind));
}
