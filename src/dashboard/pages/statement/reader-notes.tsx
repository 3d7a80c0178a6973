import { Alert, Text } from '@mantine/core';

export function ReaderNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <Alert color="amber" variant="light" role="status" title="About this file" mb="lg">
      {notes.map((note) => (
        <Text size="sm" key={note}>
          {note[0]?.toUpperCase()}
          {note.slice(1)}.
        </Text>
      ))}
    </Alert>
  );
}
