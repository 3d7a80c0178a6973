import { PasswordInput } from '@mantine/core';

/** The password that a user has. `isFirst`: it takes the focus when it appears. */
export function PasswordField({
  label = 'Password',
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

/** A password that is chosen now. */
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
      description="At least 12 characters. A phrase of several words works well."
      autoComplete="new-password"
      minLength={12}
      error={error}
      required
      withAsterisk={false}
      autoFocus={isFirst}
    />
  );
}

/** Tells the browser’s store of passwords whose password it is. */
export function HiddenUserName({ email }: { email: string }) {
  return <input type="hidden" name="username" autoComplete="username" value={email} />;
}
