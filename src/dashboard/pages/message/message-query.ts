import { pageInfoFields } from '../../components/use-cursor.ts';
import { capitalize, formatCode } from '../../format/labels.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';

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

const channelTexts: Record<MessageRow['channel'], string> = {
  email: t.common.email,
  sms: t.message.sms,
  chat: t.message.chat,
};

export function formatChannel(channel: MessageRow['channel']): string {
  return channelTexts[channel];
}

const kindTexts: Record<MessageRow['kind'], string> = {
  account_notice: t.message.accountNotice,
  cancel_subscription: t.message.cancellationOfASubscription,
  email_change: t.message.emailChange,
  endpoint_alert: t.message.webhookAlert,
  invitation: t.message.invitation,
  invoice_due: t.common.invoice,
  invoice_paused: t.message.subscriptionPaused,
  invoice_reminder: t.message.invoiceReminder,
  notice: t.message.notificationToAUser,
  password_reset: t.message.passwordReset,
  phone_code: t.message.phoneVerificationCode,
  receipt: t.message.receipt,
  receiving_account: t.message.receivingAccountChange,
  bank_feed: t.message.bankFeedAlert,
  references_low: t.message.paymentReferenceAlert,
  refund_link: t.message.refundRequestForBank,
  refund_sent: t.message.refundSent,
  subscription_changed: t.message.subscriptionChanged,
};

/** Formats the kind of a message. Unknown kinds, of a newer server, are shown by their code. */
export function formatMessageKind(kind: MessageRow['kind']): string {
  return kindTexts[kind] ?? capitalize(formatCode(kind));
}
