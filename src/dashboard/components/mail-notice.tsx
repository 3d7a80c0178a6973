import { Alert } from '@mantine/core';
import { t } from '../language/texts.ts';

/** Whether the server delivers email, from a meta tag set by the server. */
export const isMailDelivered =
  document.querySelector<HTMLMetaElement>('meta[name=causeway-mail]')?.content !== 'off';

export function MailNotice() {
  if (isMailDelivered) return null;
  return (
    <Alert color="amber" variant="light" title={t.components.emailIsNotDelivered} mb="lg">
      {t.components.noMailServerIs}
    </Alert>
  );
}
