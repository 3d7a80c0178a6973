import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Address } from '../../components/address.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { roleTexts } from '../../components/role-texts.ts';
import { Name, TwoLines } from '../../components/two-lines.tsx';
import { useAct } from '../../components/use-act.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { type InvitationRow, resendMutation, withdrawMutation } from './users-query.ts';

/** Who has not accepted yet. */
export function InvitationTable(props: { invitations: readonly InvitationRow[]; onChanged: () => void }) {
  const { invitations, onChanged } = props;
  const [told, setTold] = useState<{ text: string; isRefused: boolean }>();
  return (
    <>
      {told && (
        <Alert color={told.isRefused ? 'red' : 'teal'} variant="light" mx="lg" role="status">
          {told.text}
        </Alert>
      )}
      <DataTable
        label="Invitations"
        columns={[
          ...columns,
          {
            title: 'Actions',
            end: true,
            buttons: true,
            cell: (invitation) => (
              <Actions
                invitation={invitation}
                onChanged={onChanged}
                onTold={(text, isRefused) => setTold({ text, isRefused })}
              />
            ),
          },
        ]}
        rows={invitations}
      />
    </>
  );
}

const columns: Column<InvitationRow>[] = [
  {
    title: 'User',
    cell: ({ email }) => (
      <Name>
        <Address>{email}</Address>
      </Name>
    ),
  },
  { title: 'Role', cell: ({ role }) => roleTexts[role].name },
  {
    title: 'Invited by',
    cell: ({ invitedBy }) => (
      <Quiet>
        by <Address>{invitedBy}</Address>
      </Quiet>
    ),
  },
  {
    title: 'Link',
    end: true,
    cell: ({ sentAt, expiresAt }) => (
      <TwoLines
        below={
          <>
            {new Date(expiresAt) > serverNow() ? 'expires ' : 'expired '}
            <Moment at={expiresAt} form="day" />
          </>
        }
        atEnd
      >
        Sent <Moment at={sentAt} form="day" />
      </TwoLines>
    ),
  },
];

function Actions(props: {
  invitation: InvitationRow;
  onChanged: () => void;
  onTold: (text: string, isRefused: boolean) => void;
}) {
  const { invitation, onChanged, onTold } = props;
  const { id, email } = invitation;
  const [{ fetching }, resend] = useMutation(resendMutation);
  const withdraw = useAct(withdrawMutation, onChanged);
  const send = async () => {
    const refused = refusalOf(await resend({ input: { id } }));
    onTold(
      refused ?? `Invitation resent to ${email}. The earlier link no longer works.`,
      refused !== undefined,
    );
    onChanged();
  };
  return (
    <Group gap="xs" justify="flex-end">
      <Button size="xs" variant="default" loading={fetching} onClick={send} aria-label={`Resend to ${email}`}>
        Resend
      </Button>
      <ConfirmButton
        label="Withdraw"
        title={`Withdraw the invitation for ${email}?`}
        confirm="Withdraw invitation"
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
