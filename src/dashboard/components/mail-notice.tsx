import { Alert } from '@mantine/core';

/** As the server put it into the page. */
const isMailDelivered =
  document.querySelector<HTMLMetaElement>('meta[name=causeway-mail]')?.content !== 'off';

/** Says that an installation without a mail server delivers none of the mails that let users in. */
export function MailNotice() {
  if (isMailDelivered) return null;
  return (
    <Alert color="amber" variant="light" title="Email is not delivered" mb="lg">
      No mail server is configured, so invitations and password reset links are not sent. Owners can read them
      in the mailbox. To deliver email, the operator sets SMTP_URL.
    </Alert>
  );
}
