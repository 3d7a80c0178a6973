import { Alert, Stack } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { CopyLinkButton } from '../../components/copy-link-button.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { t } from '../../language/texts.ts';

/** An invitation whose link was just created. The link is null if it was returned before. */
export type InvitationLink = { email: string; url: string | null };

/** `isFirst` means that the email address was never invited before. */
export function InvitationLinkNotice({
  email,
  url,
  isFirst = false,
}: InvitationLink & { isFirst?: boolean }) {
  return (
    <Alert color={isMailDelivered ? 'teal' : 'amber'} variant="light" role="status">
      <Stack gap="xs" align="flex-start">
        <span>
          {fillText(isMailDelivered ? t.user.invitationSent : t.user.noEmailWasSent, { email })}
          {!isFirst && ` ${fillText(t.user.itReplacesEarlierLinks, { email })}`}
        </span>
        {url !== null && <CopyLinkButton label={t.user.copyInvitationLink} url={url} />}
      </Stack>
    </Alert>
  );
}
