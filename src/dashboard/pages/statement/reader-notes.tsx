import { Alert, Text } from '@mantine/core';
import { t } from '../../language/texts.ts';

export function ReaderNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <Alert color="amber" variant="light" role="status" title={t.statement.aboutThisFile} mb="lg">
      {notes.map((note) => (
        <Text size="sm" key={note}>
          {note[0]?.toUpperCase()}
          {note.slice(1)}.
        </Text>
      ))}
    </Alert>
  );
}
