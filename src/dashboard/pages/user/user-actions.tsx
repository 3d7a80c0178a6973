import { Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useAct } from '../../parts/use-act.ts';
import { RoleChoice } from './role-choice.tsx';
import { removeUserMutation, type UserRow, updateUserMutation } from './users-query.ts';

type Props = { user: UserRow; onChanged: () => void };

export function ChangeRole({ user: { id, email, role }, onChanged }: Props) {
  const update = useAct(updateUserMutation, onChanged);
  const [chosen, setChosen] = useState(role);
  return (
    <ConfirmButton
      label="Role"
      title={`The role of ${email}`}
      confirm="Change the role"
      size="xs"
      variant="default"
      onConfirm={() => update({ input: { id, role: chosen } })}
    >
      <RoleChoice role={chosen} onChange={setChosen} />
    </ConfirmButton>
  );
}

export function RemoveUser({ user: { id, email }, onChanged }: Props) {
  const remove = useAct(removeUserMutation, onChanged);
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove ${email}?`}
      confirm="Remove the user"
      isDanger
      size="xs"
      variant="default"
      onConfirm={() => remove({ input: { id } })}
    >
      <Text size="sm">
        They are signed out at once, everywhere. What they did stays in the audit log. You can invite them
        again.
      </Text>
    </ConfirmButton>
  );
}
