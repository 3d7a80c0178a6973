import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { roleTexts } from '../../components/role-texts.ts';
import { RowName, TwoLines } from '../../components/two-lines.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { formatActorName } from '../../format/labels.ts';
import { getErrorMessage } from '../../graphql/errors.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import type { InvitationLink } from './invitation-link-notice.tsx';
import { type InvitationRow, resendInvitationMutation, withdrawInvitationMutation } from './users-query.ts';

export function InvitationTable(props: {
  invitations: readonly InvitationRow[];
  onChanged: () => void;
  onLink: (link: InvitationLink) => void;
}) {
  const { invitations, onChanged, onLink } = props;
  const [error, setError] = useState<string>();
  return (
    <>
      <ErrorAlert text={error} />
      <DataTable
        label={t.user.invitations}
        columns={[
          ...columns,
          {
            title: t.common.actions,
            isEndAligned: true,
            hasButtons: true,
            cell: (invitation) => (
              <InvitationActions
                invitation={invitation}
                onChanged={onChanged}
                onLink={onLink}
                onError={setError}
              />
            ),
          },
        ]}
        rows={invitations}
      />
    </>
  );
}

const columns: TableColumn<InvitationRow>[] = [
  {
    title: t.user.user,
    cell: ({ email }) => (
      <RowName>
        <EmailAddress>{email}</EmailAddress>
      </RowName>
    ),
  },
  { title: t.user.role, cell: ({ role }) => roleTexts[role].name },
  {
    title: t.user.invitedBy,
    cell: ({ invitedBy }) => (
      <Muted>
        <EmailAddress>{formatActorName(invitedBy)}</EmailAddress>
      </Muted>
    ),
  },
  {
    title: t.common.link,
    isEndAligned: true,
    cell: ({ sentAt, expiresAt }) => (
      <TwoLines
        below={fillNodes(new Date(expiresAt) > serverNow() ? t.user.expires : t.user.expired, {
          moment: <Moment at={expiresAt} />,
        })}
        isEndAligned
      >
        {fillNodes(isMailDelivered ? t.user.sent : t.user.created, {
          moment: <Moment at={sentAt} format="day" />,
        })}
      </TwoLines>
    ),
  },
];

function InvitationActions(props: {
  invitation: InvitationRow;
  onChanged: () => void;
  onLink: (link: InvitationLink) => void;
  onError: (text: string | undefined) => void;
}) {
  const { invitation, onChanged, onLink, onError } = props;
  const { id, email } = invitation;
  const [{ fetching }, resend] = useMutation(resendInvitationMutation);
  const withdraw = useMutationAction(withdrawInvitationMutation, onChanged);
  const resendInvitation = async () => {
    const response = await resend({ input: { id } });
    onError(getErrorMessage(response));
    const result = response.data?.resendInvitation;
    if (result?.__typename === 'ResendInvitationSuccess')
      onLink({ email, url: result.invitationUrl, isResent: true });
    onChanged();
  };
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        loading={fetching}
        onClick={resendInvitation}
        aria-label={fillText(isMailDelivered ? t.user.resendTo : t.user.newLinkFor, { email })}
      >
        {isMailDelivered ? t.user.resend : t.user.newLink}
      </Button>
      <ConfirmButton
        label={t.user.withdraw}
        title={fillText(t.user.withdrawTheInvitationFor, { email })}
        confirmLabel={t.user.withdrawInvitation}
        isDanger
        size="xs"
        variant="default"
        onConfirm={() => withdraw({ input: { id } })}
      >
        <Text size="sm">{t.user.theInvitationLinkWill}</Text>
      </ConfirmButton>
    </Group>
  );
}
