import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
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
            title: 'Change',
            end: true,
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
    title: 'Who',
    cell: ({ email }) => (
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }} span>
        {email}
      </Text>
    ),
  },
  {
    title: 'Role',
    cell: ({ role }) => (
      <Text size="sm" span>
        {roleTexts[role].name}
      </Text>
    ),
  },
  {
    title: 'Invited by',
    cell: ({ invitedBy }) => (
      <Text size="sm" c="var(--causeway-muted)" style={{ overflowWrap: 'anywhere' }} span>
        by {invitedBy}
      </Text>
    ),
  },
  {
    title: 'Link',
    end: true,
    cell: ({ sentAt, expiresAt }) => (
      <Stack gap={0} align="flex-end">
        <Text size="sm" span>
          Sent <Moment at={sentAt} form="day" />
        </Text>
        <Text size="xs" c="var(--causeway-muted)" span>
          {new Date(expiresAt).getTime() > Date.now() ? 'until ' : 'expired '}
          <Moment at={expiresAt} form="day" />
        </Text>
      </Stack>
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
  const [, withdraw] = useMutation(withdrawMutation);
  const send = async () => {
    const refused = refusalOf(await resend({ input: { id } }));
    onTold(refused ?? `Sent again to ${email}. The earlier link works no more.`, refused !== undefined);
    onChanged();
  };
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        loading={fetching}
        onClick={send}
        aria-label={`Send again to ${email}`}
      >
        Send again
      </Button>
      <ConfirmButton
        label="Withdraw"
        title={`Withdraw the invitation of ${email}?`}
        confirm="Withdraw it"
        isDanger
        size="xs"
        variant="default"
        onConfirm={async () => {
          const refused = refusalOf(await withdraw({ input: { id } }));
          if (refused === undefined) onChanged();
          return refused;
        }}
      >
        <Text size="sm">Its link works no more then.</Text>
      </ConfirmButton>
    </Group>
  );
}
