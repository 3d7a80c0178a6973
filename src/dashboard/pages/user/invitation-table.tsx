import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { roleTexts } from '../../components/role-texts.ts';
import { RowName, TwoLines } from '../../components/two-lines.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { getErrorMessage } from '../../graphql/errors.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { type InvitationRow, resendInvitationMutation, withdrawInvitationMutation } from './users-query.ts';

export function InvitationTable(props: { invitations: readonly InvitationRow[]; onChanged: () => void }) {
  const { invitations, onChanged } = props;
  const [notice, setNotice] = useState<{ text: string; isError: boolean }>();
  return (
    <>
      {notice && (
        <Alert color={notice.isError ? 'red' : 'teal'} variant="light" mx="lg" role="status">
          {notice.text}
        </Alert>
      )}
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
                onResent={(text, isError) => setNotice({ text, isError })}
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
    cell: ({ inviterName }) => (
      <Muted>
        <EmailAddress>{inviterName}</EmailAddress>
      </Muted>
    ),
  },
  {
    title: t.common.link,
    isEndAligned: true,
    cell: ({ sentAt, expiresAt }) => (
      <TwoLines
        below={fillNodes(new Date(expiresAt) > serverNow() ? t.user.expires : t.user.expired, {
          moment: <Moment at={expiresAt} format="day" />,
        })}
        isEndAligned
      >
        {fillNodes(t.user.sent, { moment: <Moment at={sentAt} format="day" /> })}
      </TwoLines>
    ),
  },
];

function InvitationActions(props: {
  invitation: InvitationRow;
  onChanged: () => void;
  onResent: (text: string, isError: boolean) => void;
}) {
  const { invitation, onChanged, onResent } = props;
  const { id, email } = invitation;
  const [{ fetching }, resend] = useMutation(resendInvitationMutation);
  const withdraw = useMutationAction(withdrawInvitationMutation, onChanged);
  const resendInvitation = async () => {
    const errorMessage = getErrorMessage(await resend({ input: { id } }));
    onResent(errorMessage ?? fillText(t.user.invitationResentToThe, { email }), errorMessage !== undefined);
    onChanged();
  };
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        loading={fetching}
        onClick={resendInvitation}
        aria-label={fillText(t.user.resendTo, { email })}
      >
        {t.user.resend}
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
