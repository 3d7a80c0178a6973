import { Alert } from '@mantine/core';

export function ErrorAlert({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  );
}
