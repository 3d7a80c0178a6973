import { Alert } from '@mantine/core';

/** As the server put it into the page. */
const isDelivered = document.querySelector<HTMLMetaElement>('meta[name=causeway-mail]')?.content !== 'off';

/** Says that an installation without a mail server delivers none of the mails that let users in. */
export function MailNotice() {
  if (isDelivered) return null;
  return (
    <Alert color="amber" variant="light" title="Mails are not delivered" mb="lg">
      This installation has no mail server: invitations and links to reset a password do not reach anybody.
      Owners can read them in the mailbox. The operator sets SMTP_URL.
    </Alert>
  );
}
