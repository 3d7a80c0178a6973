import { Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { RoleChoice } from './role-choice.tsx';
import { removeUserMutation, type UserRow, updateUserMutation } from './users-query.ts';

type Props = { user: UserRow; onChanged: () => void };

export function ChangeRole({ user: { id, email, role }, onChanged }: Props) {
  const [, update] = useMutation(updateUserMutation);
  const [chosen, setChosen] = useState(role);
  return (
    <ConfirmButton
      label="Role"
      title={`The role of ${email}`}
      confirm="Change the role"
      size="xs"
      variant="default"
      onConfirm={async () => {
        const refused = refusalOf(await update({ input: { id, role: chosen } }));
        if (refused === undefined) onChanged();
        return refused;
      }}
    >
      <RoleChoice role={chosen} onChange={setChosen} />
    </ConfirmButton>
  );
}

export function RemoveUser({ user: { id, email }, onChanged }: Props) {
  const [, remove] = useMutation(removeUserMutation);
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove ${email}?`}
      confirm="Remove the user"
      isDanger
      size="xs"
      variant="default"
      onConfirm={async () => {
        const refused = refusalOf(await remove({ input: { id } }));
        if (refused === undefined) onChanged();
        return refused;
      }}
    >
      <Text size="sm">
        They are signed out at once, everywhere. What they did stays in the audit log. You can invite them
        again.
      </Text>
    </ConfirmButton>
  );
}
