import { Text, Textarea } from '@mantine/core';
import { t } from '../language/texts.ts';
import { useHasPermission } from '../viewer.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { getText } from './form.tsx';
import { Muted } from './muted.tsx';
import { Section } from './section.tsx';

/** The note of the team about an object. `onSave` gets null if the note is removed. */
export function NoteSection(props: {
  note: string | null;
  onSave: (note: string | null) => Promise<string | undefined>;
}) {
  const { note, onSave } = props;
  const mayWrite = useHasPermission('write');
  const edit = mayWrite && (
    <ConfirmButton
      label={note === null ? t.components.addNote : t.components.editNote}
      title={t.common.note}
      confirmLabel={t.common.save}
      variant="default"
      size="compact-sm"
      onConfirm={(form) => onSave(getText(form, 'note') || null)}
    >
      <Textarea
        label={t.common.note}
        description={t.components.onlyYourTeamSees}
        name="note"
        defaultValue={note ?? ''}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={2_000}
        data-autofocus
      />
    </ConfirmButton>
  );
  return (
    <Section title={t.common.note} aside={edit}>
      {note === null ? (
        <Muted>{t.components.noNote}</Muted>
      ) : (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
    </Section>
  );
}
