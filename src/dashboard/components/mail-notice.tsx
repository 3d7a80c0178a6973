import { Alert } from '@mantine/core';

/** Whether email leaves the server. The server sets the meta tag. */
export const isMailDelivered =
  document.querySelector<HTMLMetaElement>('meta[name=causeway-mail]')?.content !== 'off';

/** Warns that, without a mail server, invitations and password resets are not delivered. */
export function MailNotice() {
  if (isMailDelivered) return null;
  return (
    <Alert color="amber" variant="light" title="Email is not delivered" mb="lg">
      No mail server is configured, so invitations and password reset links are not sent. Owners can read them
      under Sent messages. To deliver email, the operator must set SMTP_URL.
    </Alert>
  );
}
