import { Radio, Stack } from '@mantine/core';
import { roleTexts } from '../../parts/role-texts.ts';
import type { UserRole } from './users-query.ts';

const roles = ['owner', 'developer', 'support'] as const satisfies UserRole[];

/** The roles a merchant gives, each with what it is for. */
export function RoleChoice({ role, onChange }: { role: UserRole; onChange: (role: UserRole) => void }) {
  return (
    <Radio.Group label="Role" value={role} onChange={(value) => onChange(value as UserRole)}>
      <Stack gap="xs" mt={6}>
        {roles.map((one) => (
          <Radio key={one} value={one} label={`${roleTexts[one].name}: ${roleTexts[one].text}`} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
