import { Alert, Stack } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { CopyLinkButton } from '../../components/copy-link-button.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { t } from '../../language/texts.ts';

/**
 * An invitation whose link was just created. The link is null if it was returned before. A resent invitation replaces
 * earlier links.
 */
export type InvitationLink = { email: string; url: string | null; isResent?: boolean };

export function InvitationLinkNotice({ email, url, isResent = false }: InvitationLink) {
  return (
    <Alert color={isMailDelivered ? 'teal' : 'amber'} variant="light" role="status">
      <Stack gap="xs" align="flex-start">
        <span>
          {fillText(isMailDelivered ? t.user.invitationSent : t.user.noEmailWasSent, { email })}
          {isResent && ` ${fillText(t.user.itReplacesEarlierLinks, { email })}`}
        </span>
        {url !== null && <CopyLinkButton label={t.user.copyInvitationLink} url={url} />}
      </Stack>
    </Alert>
  );
}
