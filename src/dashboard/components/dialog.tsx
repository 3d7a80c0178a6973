import { Modal, type ModalProps } from '@mantine/core';
import { createContext, useContext, useMemo, useRef } from 'react';

/** Keeps the dialog open until the work has finished. */
type DialogLock = (work: void | Promise<void>) => Promise<void>;

const DialogLockContext = createContext<DialogLock>(async (work) => work);

export const useDialogLock = () => useContext(DialogLockContext);

/**
 * A dialog that cannot be closed while a request of its form is pending, because the result, such as a secret
 * that is shown once, would be lost or appear in another dialog.
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
