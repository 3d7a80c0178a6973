import { TextInput } from '@mantine/core';

/** An input for an authenticator code or a recovery code. With `isFirst`, the input is focused when it appears. */
export function CodeInput({ label = 'Code', isFirst = true }: { label?: string; isFirst?: boolean }) {
  return (
    <TextInput
      label={label}
      name="code"
      description="Enter the six-digit code from your authenticator app, or a recovery code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      required
      withAsterisk={false}
      {...(isFirst && { 'data-autofocus': true, autoFocus: true })}
    />
  );
}
