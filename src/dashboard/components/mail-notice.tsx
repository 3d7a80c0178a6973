import { Alert } from '@mantine/core';
import { t } from '../language/texts.ts';

/** Whether email leaves the server. The server sets the meta tag. */
export const isMailDelivered =
  document.querySelector<HTMLMetaElement>('meta[name=causeway-mail]')?.content !== 'off';

/** Warns that no email is delivered if no mail server is configured. */
export function MailNotice() {
  if (isMailDelivered) return null;
  return (
    <Alert color="amber" variant="light" title={t.components.emailIsNotDelivered} mb="lg">
      {t.components.noMailServerIs}
    </Alert>
  );
}
