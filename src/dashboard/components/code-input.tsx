import { TextInput } from '@mantine/core';
import { t } from '../language/texts.ts';

/** An input for an authenticator code or a recovery code. With `isFirst`, the input is focused when it appears. */
export function CodeInput({
  label = t.components.code,
  isFirst = true,
}: {
  label?: string;
  isFirst?: boolean;
}) {
  return (
    <TextInput
      label={label}
      name="code"
      description={t.components.enterTheSixDigit}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      required
      withAsterisk={false}
      {...(isFirst && { 'data-autofocus': true, autoFocus: true })}
    />
  );
}
