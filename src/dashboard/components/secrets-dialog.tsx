import type { ReactNode } from 'react';
import { MakeDialog } from './make-dialog.tsx';
import { type Secret, ShownOnce } from './shown-once.tsx';

/** A dialog whose form may make secrets, which it then shows this once; else it closes. */
export function SecretsDialog(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** When there are secrets. */
  madeTitle: string;
  onSaved: () => void;
  form: (onSaved: (secrets: Secret[]) => void) => ReactNode;
}) {
  const { onSaved, form, ...dialog } = props;
  return (
    <MakeDialog<Secret[]>
      {...dialog}
      form={(onMade) =>
        form((secrets) => {
          onSaved();
          if (secrets.length > 0) onMade(secrets);
          else dialog.onClose();
        })
      }
    >
      {(secrets, close) => <ShownOnce secrets={secrets} onClose={close} />}
    </MakeDialog>
  );
}
