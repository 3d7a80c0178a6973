import type { ReactNode } from 'react';
import { CreateDialog } from './create-dialog.tsx';
import { type Secret, SecretReveal } from './secret-reveal.tsx';

/** A dialog with a form that may create secrets. The dialog then shows them once, or closes if there are none. */
export function SecretsDialog(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  createdTitle: string;
  onSaved: () => void;
  form: (onSaved: (secrets: Secret[]) => void) => ReactNode;
}) {
  const { onSaved, form, ...dialogProps } = props;
  return (
    <CreateDialog<Secret[]>
      {...dialogProps}
      form={(onCreated) =>
        form((secrets) => {
          onSaved();
          if (secrets.length > 0) onCreated(secrets);
          else dialogProps.onClose();
        })
      }
    >
      {(secrets, close) => <SecretReveal secrets={secrets} onClose={close} />}
    </CreateDialog>
  );
}
