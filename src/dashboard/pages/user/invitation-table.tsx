import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
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
        label="Invitations"
        columns={[
          ...columns,
          {
            title: 'Actions',
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
    title: 'User',
    cell: ({ email }) => (
      <RowName>
        <EmailAddress>{email}</EmailAddress>
      </RowName>
    ),
  },
  { title: 'Role', cell: ({ role }) => roleTexts[role].name },
  {
    title: 'Invited by',
    cell: ({ inviterName }) => (
      <Muted>
        <EmailAddress>{inviterName}</EmailAddress>
      </Muted>
    ),
  },
  {
    title: 'Link',
    isEndAligned: true,
    cell: ({ sentAt, expiresAt }) => (
      <TwoLines
        below={
          <>
            {new Date(expiresAt) > serverNow() ? 'expires ' : 'expired '}
            <Moment at={expiresAt} format="day" />
          </>
        }
        isEndAligned
      >
        Sent <Moment at={sentAt} format="day" />
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
    onResent(
      errorMessage ?? `Invitation resent to ${email}. The earlier link no longer works.`,
      errorMessage !== undefined,
    );
    onChanged();
  };
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        loading={fetching}
        onClick={resendInvitation}
        aria-label={`Resend to ${email}`}
      >
        Resend
      </Button>
      <ConfirmButton
        label="Withdraw"
        title={`Withdraw the invitation for ${email}?`}
        confirmLabel="Withdraw invitation"
        isDanger
        size="xs"
        variant="default"
        onConfirm={() => withdraw({ input: { id } })}
      >
        <Text size="sm">The invitation link will stop working.</Text>
      </ConfirmButton>
    </Group>
  );
}
