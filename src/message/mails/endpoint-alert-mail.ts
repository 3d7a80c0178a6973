import type { EndpointAlertKind } from '../../notification/endpoint-health.ts';
import {
  formatUtcMinute,
  type MailContent,
  type MailTemplate,
  modeNames,
  writeMail,
  writeSettingsNote,
} from '../mail.ts';

type EndpointAlertMailFacts = {
  kind: EndpointAlertKind;
  merchant: string;
  mode: 'live' | 'sandbox';
  isWebhook: boolean;
  url: string;
  /** The reason that the delivery log shows. */
  detail: string;
  at: Date;
  dashboardUrl: string;
};

type EndpointAlertMailStrings = {
  subjects: Record<EndpointAlertKind, string>;
  texts: Record<EndpointAlertKind, string>;
  webhook: string;
  callback: string;
  labels: { endpoint: string; mode: string; reason: string; time: string };
  button: string;
};

const strings: EndpointAlertMailStrings = {
  subjects: {
    endpoint_failing: 'Notifications are not arriving',
    delivery_failed: 'A notification could not be delivered',
    webhook_disabled: 'A webhook was disabled',
    endpoint_recovered: 'Notifications are arriving again',
  },
  texts: {
    endpoint_failing:
      'Four delivery attempts in a row have failed. Delivery is retried at increasing intervals.',
    delivery_failed:
      'All delivery attempts have failed. You can resend the notification from its page in the dashboard.',
    webhook_disabled:
      'It no longer receives notifications. They are recorded: to send them later, enable the webhook and retry them on the dashboard page Notifications.',
    endpoint_recovered:
      'The URL is responding again. You can retry failed notifications on the dashboard page Notifications.',
  },
  webhook: 'Webhook',
  callback: 'Callback',
  labels: { endpoint: 'URL', mode: 'Mode', reason: 'Reason', time: 'Time (UTC)' },
  button: 'Open the dashboard',
};

export function getEndpointAlertTitle(kind: EndpointAlertKind): string {
  return strings.subjects[kind];
}

/**
 * An email to users which reports that an endpoint is failing, a delivery has failed permanently, a
 * webhook was disabled, or an endpoint has recovered.
 */
export function endpointAlertMail(facts: EndpointAlertMailFacts): MailContent {
  const mail: MailTemplate = {
    subject: `${strings.subjects[facts.kind]}: ${facts.merchant}`,
    blocks: [
      strings.texts[facts.kind],
      {
        facts: [
          [
            strings.labels.endpoint,
            `${facts.isWebhook ? strings.webhook : strings.callback} ${withoutQuery(facts.url)}`,
          ],
          [strings.labels.mode, modeNames[facts.mode]],
          ...(facts.kind === 'endpoint_recovered'
            ? []
            : [[strings.labels.reason, facts.detail] satisfies [string, string]]),
          [strings.labels.time, formatUtcMinute(facts.at)],
        ],
      },
      { button: strings.button, url: facts.dashboardUrl },
    ],
    note: writeSettingsNote(facts.merchant),
  };
  return writeMail({ language: 'en', sender: 'Causeway', ...mail });
}

/** Removes the query string, which may contain a secret of the merchant. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, '');
}
