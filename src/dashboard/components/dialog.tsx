import { Modal, type ModalProps } from '@mantine/core';
import { createContext, useContext, useMemo, useRef } from 'react';

/** What the form that is sent within a dialog keeps it open by. */
type DialogLock = (work: void | Promise<void>) => Promise<void>;

const DialogLockContext = createContext<DialogLock>(async (work) => work);

/** Keeps the dialog around open until what is given is done. */
export const useDialogLock = () => useContext(DialogLockContext);

/**
 * A dialog in which a form sends something. It cannot be left while that is under way: what came of it, a secret that is
 * shown once, would be seen by nobody, or stand where something else is asked for.
 */
export function Dialog({ onClose, children, ...rest }: ModalProps) {
  const lockCount = useRef(0);
  const lock = useMemo<DialogLock>(
    () => async (work) => {
      lockCount.current += 1;
      try {
        await work;
      } finally {
        lockCount.current -= 1;
      }
    },
    [],
  );
  const close = () => {
    if (lockCount.current === 0) onClose();
  };
  return (
    <Modal onClose={close} centered {...rest}>
      <DialogLockContext.Provider value={lock}>{children}</DialogLockContext.Provider>
    </Modal>
  );
}
