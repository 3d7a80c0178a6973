import { Alert } from '@mantine/core';

/** Why something was refused, in the server's words; nothing where it was not. */
export function ErrorAlert({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  );
}
