import { PasswordInput } from '@mantine/core';
import { t } from '../language/texts.ts';

/** A field for the current password. With `isFirst`, the field is focused when its dialog opens. */
export function PasswordField({
  label = t.common.password,
  isFirst = false,
}: {
  label?: string;
  isFirst?: boolean;
}) {
  return (
    <PasswordInput
      label={label}
      name="password"
      autoComplete="current-password"
      required
      withAsterisk={false}
      {...(isFirst && { 'data-autofocus': true })}
    />
  );
}

export function NewPasswordField(props: {
  label: string;
  name: string;
  error: string | undefined;
  isFirst?: boolean;
}) {
  const { label, name, error, isFirst = false } = props;
  return (
    <PasswordInput
      label={label}
      name={name}
      description={t.components.atLeast12Characters}
      autoComplete="new-password"
      minLength={12}
      error={error}
      // Mantine marks the inputs of invalid fields, but not of this one.
      aria-invalid={error !== undefined}
      required
      withAsterisk={false}
      autoFocus={isFirst}
    />
  );
}

/** Identifies the account to the browser's password manager. */
export function HiddenUserName({ email }: { email: string }) {
  return <input type="hidden" name="username" autoComplete="username" value={email} />;
}
