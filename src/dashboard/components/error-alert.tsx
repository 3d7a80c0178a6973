import { Alert } from '@mantine/core';

/** Shows an error message, or nothing if there is none. */
export function ErrorAlert({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  );
}
